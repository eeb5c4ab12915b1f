import { constants } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { BcmJobs } from './bcm-jobs.ts';
import { FakeCanCalls } from './testing/fake-can-calls.ts';

const place = { name: 'can7', index: 7 };
const asked = { id: 1, flags: 0, dlc: 0, data: new Uint8Array(), periodUs: 1_000, count: 5 };

/** Message of the broadcast manager at the end of a count. */
const expired = (): Uint8Array => {
  const message = new Uint8Array(56);
  message[0] = 9;
  return message;
};

describe('jobs of the broadcast manager', () => {
  let calls: FakeCanCalls;
  let jobs: BcmJobs;
  /** As the kernel counts them for the open socket; undefined if it does not. */
  let sent: number | undefined;

  beforeEach(() => {
    calls = new FakeCanCalls();
    sent = 0;
    jobs = new BcmJobs(calls, () =>
      sent === undefined ? undefined : `   tx_op: 001 can7 [1] t1=1000 # sent ${sent}\n`,
    );
    jobs.resume(place);
  });

  /** Requested counts; 0 is endless. */
  const counts = () =>
    calls.written.map((message) => new DataView(message.buffer).getUint32(8, true));

  it('are sent for what is left of their count after a break', () => {
    const job = jobs.start(asked);
    sent = 3;
    jobs.pause();
    expect(job?.sent).toBe(3);
    sent = 0;
    jobs.resume(place);
    expect(counts()).toEqual([5, 2]);
    calls.readable.push(expired());
    calls.notice();
    expect([job?.isFinished, job?.sent, calls.open.size]).toEqual([true, 5, 0]);
  });

  it('are finished where nothing is left, and not sent for ever', () => {
    const job = jobs.start(asked);
    // All frames are sent, but the driver has not read their confirmation.
    sent = 5;
    jobs.pause();
    jobs.resume(place);
    expect([counts(), job?.isFinished, job?.sent]).toEqual([[5], true, 5]);
  });

  it('are not sent again where it is not known what is left', () => {
    const job = jobs.start(asked);
    sent = undefined;
    jobs.pause();
    jobs.resume(place);
    expect([counts(), job?.isFinished, job?.sent]).toEqual([[5], true, null]);
  });

  it('go on after a break where they have no end, counted or not', () => {
    const job = jobs.start({ ...asked, count: 0 });
    sent = undefined;
    jobs.pause();
    jobs.resume(place);
    expect([counts(), job?.isFinished, job?.sent]).toEqual([[0, 0], false, null]);
  });

  it('of one frame are finished once it is sent, which the kernel does not tell', () => {
    const job = jobs.start({ ...asked, count: 1 });
    expect([counts(), job?.isFinished, job?.sent, calls.open.size]).toEqual([[1], true, 1, 0]);
  });

  it('with one frame left are finished with that one', () => {
    const job = jobs.start(asked);
    sent = 4;
    jobs.pause();
    jobs.resume(place);
    expect([counts(), job?.isFinished, job?.sent]).toEqual([[5, 1], true, 5]);
    expect(calls.open.size).toBe(0);
  });

  it('that cannot be watched are never sent, and leave no socket behind', () => {
    calls.watchFailure = new Error('no more descriptors');
    expect(() => jobs.start(asked)).toThrow('no more descriptors');
    expect([calls.written, calls.open.size, calls.watched]).toEqual([[], 0, ['can7']]);
    calls.watchFailure = undefined;
    jobs.pause();
    jobs.resume(place);
    expect(calls.written).toEqual([]);
  });

  it('that are refused leave no socket behind', () => {
    calls.writeErrno = constants.errno.EINVAL;
    expect(() => jobs.start(asked)).toThrow('can7');
    expect(calls.open.size).toBe(0);
  });

  it('end with their sockets', () => {
    const job = jobs.start({ ...asked, count: 0 });
    sent = 7;
    job?.stop();
    sent = 9;
    expect([job?.sent, calls.open.size]).toEqual([7, 0]);
    jobs.resume(place);
    expect(calls.written).toHaveLength(1);
  });
});
