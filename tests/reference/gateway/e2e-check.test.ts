import { describe, expect, it } from 'vitest';
import { protect } from './e2e.ts';
import { Check } from './e2e-check.ts';
import type { E2eCodecRow } from './project.ts';

type Options = Omit<E2eCodecRow, 'id' | 'kind'>;

const common: Options = { profile: '5', data_id: 0x1234 };
const rich: Options = { profile: '1A', data_id: 0x0123 };

/** Checks frames with these counters; a counter with a minus has a broken payload. */
const results = (options: Options, counters: string): string => {
  const check = new Check({ id: 'codec', kind: 'e2e', ...options }, 8);
  return counters
    .split(' ')
    .map((counter) => {
      const data = new Uint8Array(8);
      protect(check.layout, data, BigInt(counter.replace('-', '')));
      if (counter.startsWith('-')) data[7] = 1;
      return check.check(data, 0) + (check.isValid ? '' : '!');
    })
    .join(' ');
};

describe('the common check', () => {
  it.each([
    ['takes any first frame', common, '77 78', 'initial ok'],
    ['sees repeated frames', common, '0 0 1', 'initial repeated ok'],
    ['goes on from a wrong sequence', common, '0 5 6', 'initial wrong_sequence ok'],
    [
      'forgives gaps up to the largest step',
      { ...common, max_delta_counter: 3 },
      '0 3 7',
      'initial ok_some_lost wrong_sequence',
    ],
    ['wraps', common, '255 0', 'initial ok'],
    ['counts on from before an error', common, '0 -1 1', 'initial error! ok'],
    ['wraps profile 11 after 14', { ...rich, profile: '11A' }, '14 0', 'initial ok'],
    ['takes 15 for an error in profile 11', { ...rich, profile: '11A' }, '14 15', 'initial error!'],
  ])('%s', (_, options, counters, expected) => {
    expect(results(options, counters)).toBe(expected);
  });
});

describe('the check of profiles 1 and 2', () => {
  it.each([
    ['takes any first frame', rich, '7 8', 'initial ok'],
    ['refuses the counter 15', rich, '14 15', 'initial error!'],
    [
      'keeps the counter after a wrong sequence',
      rich,
      '0 5 6',
      'initial wrong_sequence wrong_sequence',
    ],
    [
      'lets the largest step grow with each frame that is not taken',
      rich,
      '0 3 3 4',
      'initial wrong_sequence ok_some_lost ok',
    ],
    ['grows with wrong checksums', rich, '0 -1 2', 'initial error! ok_some_lost'],
    [
      'synchronises after a wrong sequence',
      { ...rich, sync_counter_init: 2 },
      '0 5 6 7 8',
      'initial wrong_sequence sync sync ok',
    ],
    [
      'synchronises after too many repeated',
      { ...rich, max_no_new_or_repeated: 1 },
      '0 0 0 1 2',
      'initial repeated repeated sync ok',
    ],
    [
      'forgives repeated ones below that',
      { ...rich, max_no_new_or_repeated: 1 },
      '0 0 1',
      'initial repeated ok',
    ],
    [
      'wraps profile 2 after 15',
      { profile: '2', data_id_list: Array(16).fill(7) },
      '15 0',
      'initial ok',
    ],
  ])('%s', (_, options, counters, expected) => {
    expect(results(options, counters)).toBe(expected);
  });
});

describe('the window', () => {
  const window = { size: 3, min_ok: 2, max_error: 1 };

  it.each([
    ['needs so many good frames', '0 1 2', 'initial! ok ok'],
    ['forgives so many errors', '0 1 -2 -2', 'initial! ok error error!'],
    ['lets repeated frames push good ones out', '0 1 1 1', 'initial! ok repeated repeated!'],
    ['recovers', '0 -1 -1 1 2 3', 'initial! error! error! ok! ok ok'],
  ])('%s', (_, counters, expected) => {
    expect(results({ ...common, window }, counters)).toBe(expected);
  });

  it('of one takes a repeated frame for not valid, unlike none', () => {
    const one = { size: 1, min_ok: 1, max_error: 0 };
    expect(results({ ...common, window: one }, '0 0 1')).toBe('initial repeated! ok');
    expect(results(common, '0 0 1')).toBe('initial repeated ok');
  });
});
