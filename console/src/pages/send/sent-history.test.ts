import { describe, expect, it } from 'vitest';
import { maxHistory, type SentFrame, withSent } from './send-actions.ts';

const sent = (at: number, id = at): SentFrame => ({
  at,
  request: { channel: 'SIM00001/0', id, data: '01' },
  advanced: false,
  accepted: 1,
});

const times = (history: readonly SentFrame[]): number[] => history.map(({ at }) => at);

describe('withSent', () => {
  it('puts the newest first', () => {
    expect(times(withSent([sent(1)], sent(2)))).toEqual([2, 1]);
  });

  it('moves a frame that is sent again to the top', () => {
    expect(times(withSent([sent(3), sent(2), sent(1)], sent(4, 2)))).toEqual([4, 3, 1]);
  });

  it('forgets the oldest beyond its length', () => {
    let history: readonly SentFrame[] = [];
    for (let at = 1; at <= maxHistory + 5; at += 1) history = withSent(history, sent(at));
    expect(history).toHaveLength(maxHistory);
    expect(times(history).at(-1)).toBe(6);
  });
});
