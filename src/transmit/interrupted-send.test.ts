import { describe, expect, it } from 'vitest';
import { type RigChannel, SendRig, settle } from './testing/send-rig.ts';

const frame = { id: 0x123, data: 'DEADBEEF' };
const selector = { channel: 'SIM00001/0', selector_kind: 'serial' };

const openPair = async () => {
  const rig = new SendRig();
  return { rig, one: await rig.open(0), two: await rig.open(1) };
};

const interruptions = {
  closed: (channel: RigChannel) => channel.close(),
  configured: (channel: RigChannel) => channel.configure({ group: 'bitrate', bitrate: 250_000 }),
};

describe.each(['closed', 'configured'] as const)('a channel that is %s', (reason) => {
  const cancelled = { cancelled: true, reason, ...selector };

  it('cancels a batch between two frames', async () => {
    const { rig, one } = await openPair();
    const sent = rig.start(one, { ...frame, count: 10, cycle_us: 10_000 });
    await rig.pass(35_000);
    await interruptions[reason](one);
    await settle();
    expect(sent.error?.code).toBe('operation_cancelled');
    expect(sent.error?.details).toEqual({ ...cancelled, accepted: 4, failed_index: 4 });
    expect(one.listeners).toBe(0);
    await rig.pass(1_000_000);
    expect(one.events.completed).toHaveLength(4);
  });

  it('cancels a batch in full flight', async () => {
    const { rig, one } = await openPair();
    const sent = rig.start(one, { ...frame, count: 1000 });
    await interruptions[reason](one);
    await settle();
    expect(sent.error?.details).toEqual({ ...cancelled, accepted: 64, failed_index: 64 });
  });

  it('cancels whatever waits for room', async () => {
    const rig = new SendRig();
    const one = await rig.open(0);
    const batch = rig.start(one, { ...frame, count: 2000 });
    await rig.pass(10_000);
    const single = rig.start(one, frame);
    await interruptions[reason](one);
    await settle();
    expect(batch.error?.details).toEqual({ ...cancelled, accepted: 1024, failed_index: 1024 });
    expect(single.error?.details).toEqual({ ...cancelled, accepted: 0, failed_index: 0 });
  });
});

describe('a device that is lost', () => {
  it('fails a batch and tells how far it came', async () => {
    const { rig, one } = await openPair();
    const sent = rig.start(one, { ...frame, count: 10, cycle_us: 10_000 });
    await rig.pass(25_000);
    rig.driver.faults.loseDevice();
    await settle();
    expect(sent.error?.code).toBe('hardware_error');
    expect(sent.error?.details).toEqual({
      reason: 'device_lost',
      accepted: 3,
      failed_index: 3,
      ...selector,
    });
  });

  it('fails the callers that wait for room', async () => {
    const rig = new SendRig();
    const one = await rig.open(0);
    const sent = rig.start(one, { ...frame, count: 2000 });
    await rig.pass(10_000);
    rig.driver.faults.loseDevice();
    await settle();
    expect(sent.error).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'device_lost', accepted: 1024 },
    });
  });
});

describe('a caller that goes away', () => {
  const gone = { cancelled: true, reason: 'caller_gone', ...selector };

  it('before the start has nothing sent', async () => {
    const { rig, one } = await openPair();
    const sent = rig.start(one, frame, { signal: AbortSignal.abort() });
    await rig.pass(10_000);
    expect(sent.error?.code).toBe('operation_cancelled');
    expect(sent.error?.details).toEqual({ ...gone, accepted: 0, failed_index: 0 });
    expect(one.hardware.stats().txFrames).toBe(0);
  });

  it('ends its own batch and no other', async () => {
    const { rig, one } = await openPair();
    const caller = new AbortController();
    const request = { ...frame, count: 10, cycle_us: 10_000 };
    const left = rig.start(one, request, { signal: caller.signal });
    const other = rig.start(one, request);
    await rig.pass(25_000);
    caller.abort();
    await rig.pass(1_000_000);
    expect(left.error?.details).toEqual({ ...gone, accepted: 3, failed_index: 3 });
    expect(other.answer).toMatchObject({ accepted: 10 });
    expect(one.events.completed).toHaveLength(13);
  });

  it('gives up its turn', async () => {
    const rig = new SendRig();
    const one = await rig.open(0);
    rig.start(one, { ...frame, count: 1024 });
    await rig.pass(1_000);
    const caller = new AbortController();
    const left = rig.start(one, { id: 1 }, { signal: caller.signal });
    rig.start(one, { id: 2 });
    caller.abort();
    await rig.open(1);
    await rig.pass(1_000_000);
    expect(left.error?.details).toEqual({ ...gone, accepted: 0, failed_index: 0 });
    expect(one.sentIds.filter((id) => id < 3)).toEqual([2]);
    expect(one.sentIds).toHaveLength(1025);
  });

  it('may notice while it hears of progress', async () => {
    const { rig, one } = await openPair();
    const caller = new AbortController();
    const sent = rig.start(
      one,
      { ...frame, count: 3, cycle_us: 200_000 },
      { signal: caller.signal, onProgress: () => caller.abort() },
    );
    await rig.pass(1_000_000);
    expect(sent.error?.details).toEqual({ ...gone, accepted: 2, failed_index: 2 });
    expect(one.listeners).toBe(0);
    expect(one.events.completed).toHaveLength(2);
  });

  it('makes no difference once the answer is there', async () => {
    const { rig, one } = await openPair();
    const caller = new AbortController();
    const sent = rig.start(one, frame, { signal: caller.signal });
    await settle();
    caller.abort();
    await rig.pass(1_000);
    expect(sent.answer).toMatchObject({ accepted: 1 });
    expect(sent.error).toBeUndefined();
  });
});
