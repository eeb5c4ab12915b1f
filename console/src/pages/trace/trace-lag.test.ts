import { describe, expect, it } from 'vitest';
import { shownState } from './trace-lag.ts';

const nowUs = 1_700_000_000_000_000;

describe('how the stream of the trace is', () => {
  it('says how far behind it is instead of that it is live', () => {
    expect(shownState({ state: 'live', newestUs: nowUs - 38_200_000 }, nowUs)).toEqual({
      state: 'behind',
      label: '38 s behind',
    });
  });

  it('is live with frames as they come, and while none come', () => {
    const live = { state: 'live', label: 'Live' };
    expect(shownState({ state: 'live', newestUs: nowUs - 300_000 }, nowUs)).toEqual(live);
    expect(shownState({ state: 'live', newestUs: null }, nowUs)).toEqual(live);
  });

  it('says first what is wrong with the stream itself', () => {
    const { label } = shownState({ state: 'reconnecting', newestUs: nowUs - 38_000_000 }, nowUs);
    expect(label).toBe('Reconnecting');
  });
});
