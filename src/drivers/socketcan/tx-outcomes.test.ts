import { describe, expect, it } from 'vitest';
import { PortReporter } from '../port-reporter.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { TxOutcomes, TxRing } from './tx-ring.ts';

const noBytes = new Uint8Array(0);

/** Three frames: the kernel has two and has rejected the one in between. */
const setUp = () => {
  const sink = new RecordingSink();
  const tx = new TxRing(() => 0n, 8);
  const outcomes = new TxOutcomes(tx, new PortReporter(sink, 0), () => 7);
  for (const id of [1, 2, 3]) tx.push(id, 0, 0, noBytes, 0, 0);
  tx.taken(1);
  tx.refuse();
  tx.taken(1);
  return { sink, tx, outcomes };
};

describe('outcomes without echoes', () => {
  it('are unknown, but of frames that the kernel refused', () => {
    const { sink, tx, outcomes } = setUp();
    outcomes.forget(2);
    expect([sink.timesDropped, sink.failedFrames, sink.lastFailed, tx.given]).toEqual([1, 1, 2, 1]);
    outcomes.forgetGiven();
    expect([sink.timesDropped, sink.failedFrames, tx.size]).toEqual([2, 1, 0]);
  });

  it('are failures where nothing was sent', () => {
    const { sink, tx, outcomes } = setUp();
    outcomes.failGiven();
    expect([sink.timesDropped, sink.failedFrames, sink.lastFailed, tx.size]).toEqual([0, 3, 3, 0]);
  });
});
