import { describe, expect, it } from 'vitest';
import type { ChannelTraffic } from '../api/client.ts';
import { loadScale, minuteOf, shownSeconds, withTraffic } from './traffic-history.ts';

const second = (at: number, load = 1) => ({
  at_us: at * 1_000_000,
  rx_rate_fps: 0,
  tx_rate_fps: 0,
  bus_load_percent: load,
});

const channel = (
  selector: string,
  seconds: ChannelTraffic['seconds'],
  opened = 0,
): ChannelTraffic => ({
  slot: 0,
  selector,
  name: null,
  bus: 'can',
  state: 'open',
  opened_at_us: opened,
  seconds,
});

const timesOf = ({ seconds }: ChannelTraffic | undefined = channel('', [])): readonly number[] =>
  seconds.map(({ at_us }) => at_us / 1_000_000);

describe('withTraffic', () => {
  it('adds what is new, and has nothing twice when all is told once more', () => {
    const first = withTraffic([], [channel('A/0', [second(1), second(2)])]);
    const next = withTraffic(first, [channel('A/0', [second(3)])]);
    const again = withTraffic(next, [channel('A/0', [second(1), second(2), second(3)])]);
    expect([next, again].map(([row]) => timesOf(row))).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('has the channels that are open now, and none of the past of one that was opened again', () => {
    const known = withTraffic([], [channel('A/0', [second(1)]), channel('A/1', [second(1)])]);
    const now = withTraffic(known, [channel('A/0', [second(9)], 8)]);
    expect(now.map(({ selector }) => selector)).toEqual(['A/0']);
    expect(timesOf(now[0])).toEqual([9]);
  });

  it('lets go of what is older than a minute, also of a channel that tells nothing any more', () => {
    const known = withTraffic([], [channel('A/0', [second(1)]), channel('A/1', [second(1)])]);
    const now = withTraffic(known, [channel('A/0', [second(61.5)]), channel('A/1', [])]);
    expect(now.map(timesOf)).toEqual([[61.5], []]);
  });
});

describe('minuteOf', () => {
  it('puts each second where it was, with holes where nothing is known', () => {
    const rows = [channel('A/0', [second(10, 3), second(12.1, 4)]), channel('A/1', [second(13)])];
    const slots = minuteOf('bus_load_percent', rows[0] as ChannelTraffic, rows);
    expect(slots).toHaveLength(shownSeconds);
    expect(slots.slice(-4)).toEqual([3, Number.NaN, 4, Number.NaN]);
  });
});

describe('loadScale', () => {
  it.each([
    [[], 5],
    [[4.6, 5], 5],
    [[5.1], 10],
    [[30, 99], 100],
  ])('of loads %j is %i %%', (loads, scale) => {
    const seconds = loads.map((load, at) => second(at, load));
    expect(loadScale([channel('A/0', seconds)])).toBe(scale);
  });
});
