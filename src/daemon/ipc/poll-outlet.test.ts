import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/fake-clock.ts';
import type { StreamSink } from '../../operations/stream.ts';
import { PollOutlet } from './poll-outlet.ts';

const setUp = (end: { count?: number; duration_ms?: number } = {}) => {
  const clock = new FakeClock();
  const sent: object[] = [];
  const ends: object[] = [];
  let isReady = true;
  let wake = (): void => {};
  const sink: StreamSink = {
    get isReady() {
      return isReady;
    },
    onReady: (callback) => {
      wake = callback;
    },
    message: (value) => sent.push(value),
    batch: () => {},
    end: (result) => ends.push(result),
    fail: () => {},
  };
  const outlet = new PollOutlet({ sink, clock, end });
  let isClosed = false;
  outlet.attach({
    resume: () => outlet.flush(),
    close: () => {
      isClosed = true;
    },
  });
  const setReady = (ready: boolean): void => {
    isReady = ready;
    if (ready) wake();
  };
  return { clock, outlet, sent, ends, setReady, isClosed: () => isClosed };
};

describe('PollOutlet', () => {
  it('sends every result to a caller that keeps up', () => {
    const { outlet, sent } = setUp();
    outlet.record({ coalesced: 0 });
    outlet.record({ coalesced: 2 });
    expect(sent).toEqual([{ coalesced: 0 }, { coalesced: 2 }]);
  });

  it('keeps the newest for one that does not, and counts what it replaced', () => {
    const { outlet, sent, setReady } = setUp();
    setReady(false);
    for (let i = 0; i < 4; i++) outlet.record({ coalesced: 1 });
    expect(sent).toEqual([]);
    setReady(true);
    expect(sent).toEqual([{ coalesced: 4 }]);
    outlet.record({ coalesced: 1 });
    expect(sent.at(-1)).toEqual({ coalesced: 4 });
  });

  it('ends after as many as were asked for, and lets go of the poll', () => {
    const { outlet, sent, ends, isClosed } = setUp({ count: 2 });
    for (let i = 0; i < 3; i++) outlet.record({ coalesced: 0 });
    expect(sent).toHaveLength(2);
    expect(ends).toEqual([{ reason: 'count', delivered: 2 }]);
    expect(isClosed()).toBe(true);
  });

  it('ends when its time is over', () => {
    const { clock, outlet, ends } = setUp({ duration_ms: 100 });
    outlet.record({ coalesced: 0 });
    clock.advanceUs(100_000);
    expect(ends).toEqual([{ reason: 'duration', delivered: 1 }]);
  });
});
