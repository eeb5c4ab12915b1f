import { describe, expect, it, vi } from 'vitest';
import { RoundTime } from '../signal-states.ts';
import { HotParts } from './hot-parts.ts';

const runsUntilHot = 1000;

const makeRig = () => {
  const time = new RoundTime();
  const parts = new HotParts(runsUntilHot, time);
  const part = { generate: vi.fn() };
  const counter = parts.counterOf(part);
  return {
    parts,
    part,
    run: (times: number, everyUs: number) => {
      for (let index = 0; index < times; index++) {
        time.nowUs += everyUs;
        counter.count();
      }
    },
  };
};

describe('a part of an engine', () => {
  it('gets a function of its own after a thousand runs, a millisecond apart', () => {
    const { parts, part, run } = makeRig();
    run(runsUntilHot - 1, 1000);
    expect(parts.isEmpty).toBe(true);
    run(1, 1000);
    parts.generateNext();
    expect(part.generate).toHaveBeenCalledOnce();
  });

  it('gets none while it is run every 10 ms, for however long', () => {
    const { parts, run } = makeRig();
    run(100 * runsUntilHot, 10_000);
    expect(parts.isEmpty).toBe(true);
  });

  it('gets one once it is run more often than before', () => {
    const { parts, run } = makeRig();
    run(3 * runsUntilHot + 500, 10_000);
    run(2 * runsUntilHot, 1000);
    expect(parts.isEmpty).toBe(false);
  });
});
