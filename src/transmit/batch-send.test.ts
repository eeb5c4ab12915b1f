import { describe, expect, it } from 'vitest';
import type { SendProgress } from './batch.ts';
import { framesPerTurn } from './batch-send.ts';
import { SendRig } from './testing/send-rig.ts';

const frame = { id: 0x123, data: 'DEADBEEF' };
/** Number of unsent frames in the virtual device. */
const queueLength = 1024;

const openPair = async () => {
  const rig = new SendRig();
  return { rig, one: await rig.open(0), two: await rig.open(1) };
};

/** A channel without acknowledgement: it accepts a full queue and sends nothing. */
const openStuck = async () => {
  const rig = new SendRig();
  return { rig, one: await rig.open(0) };
};

describe('a batch with a cycle', () => {
  it('submits every frame exactly when it is due', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { ...frame, count: 1000, cycle_us: 1_234 });
    await rig.pass(998 * 1_234);
    expect(sent.answer).toBeUndefined();
    await rig.pass(1_234);
    expect(sent.answer).toMatchObject({ accepted: 1000 });
    await rig.pass(1_000);
    const times = two.events.received.map((event) => rig.sinceStart(event));
    const first = times[0] ?? 0;
    expect(times).toEqual(Array.from({ length: 1000 }, (_, k) => first + k * 1_234));
  });

  it('makes up for lost time in order and skips nothing', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { ...frame, count: 10, cycle_us: 10_000 });
    const block = rig.scheduler.createTask('block', () => {
      rig.clock.advanceUs(45_000);
    });
    block.scheduleAt(rig.clock.monotonicUs() + 12_000);
    await rig.pass(12_000);
    await rig.pass(1_000);
    expect(two.events.received.length + one.pending).toBe(6);
    await rig.pass(2_000);
    expect(sent.answer).toBeUndefined();
    await rig.pass(30_000);
    expect(sent.answer).toMatchObject({ accepted: 10 });
  });

  it('lets other work go on in between', async () => {
    const { rig, one, two } = await openPair();
    rig.start(one, { ...frame, count: 3, cycle_us: 10_000 });
    rig.start(one, { id: 0x200, count: 3, cycle_us: 10_000 });
    await rig.pass(5_000);
    rig.start(one, { id: 0x7 });
    await rig.pass(30_000);
    expect(two.events.received.map(({ id }) => id)).toEqual([
      0x123, 0x200, 0x7, 0x123, 0x200, 0x123, 0x200,
    ]);
  });
});

describe('a batch without a cycle', () => {
  it('hands over so many frames at a time', async () => {
    const { rig, one } = await openPair();
    rig.start(one, { ...frame, count: 1000 });
    expect(one.pending).toBe(framesPerTurn);
    rig.advanceUs(0);
    expect(one.pending).toBe(2 * framesPerTurn);
    rig.advanceUs(1);
    expect(one.pending).toBe(3 * framesPerTurn);
  });

  it('goes as fast as the channel, however full its queue', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { ...frame, count: 5000 });
    await rig.pass(2_000_000);
    expect(sent.answer).toMatchObject({ accepted: 5000 });
    expect(two.events.received).toHaveLength(5000);
    const times = two.events.received.map((event) => rig.sinceStart(event));
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
    expect(one.listeners).toBe(0);
  });

  it('is ended when it runs longer than it may', async () => {
    const { rig, one } = await openPair();
    const sent = rig.start(one, { ...frame, count: 1e6 }, { maxDurationUs: 1_000_000 });
    await rig.pass(999_000);
    expect(sent.error).toBeUndefined();
    await rig.pass(2_000);
    expect(sent.error).toMatchObject({
      code: 'hardware_timeout',
      details: { reason: 'too_long', limit_us: 1_000_000, channel: 'SIM00001/0' },
    });
    const accepted = sent.error?.details.accepted;
    expect(sent.error?.details.failed_index).toBe(accepted);
    await rig.pass(1_000_000);
    expect(one.events.completed).toHaveLength(Number(accepted));
  });
});

describe('the duration of a batch', () => {
  it('is checked before anything is sent', async () => {
    const { rig, one } = await openPair();
    const request = { ...frame, count: 61, cycle_us: 1_000_000 };
    const sent = rig.start(one, request, { maxDurationUs: 60_000_000 });
    await rig.pass(10_000);
    expect(sent.error?.code).toBe('invalid_argument');
    expect(sent.error?.details).toMatchObject({ field: 'count', limit_us: 60_000_000 });
    expect(one.hardware.stats()).toMatchObject({ txFrames: 0, txPending: 0 });
  });

  it('leaves a batch with a cycle the time for its last frame', async () => {
    const { rig, one } = await openPair();
    const request = { ...frame, count: 4, cycle_us: 250_000, timeout_ms: 100 };
    const sent = rig.start(one, request, { maxDurationUs: 1_000_000 });
    await rig.pass(750_000);
    expect(sent.answer).toMatchObject({ accepted: 4 });
  });

  it('ends also a batch whose cycle the bus cannot keep', async () => {
    const { rig, one } = await openPair();
    const request = { ...frame, count: 1e6, cycle_us: 1, timeout_ms: 100 };
    const sent = rig.start(one, request, { maxDurationUs: 1_000_000 });
    await rig.pass(1_099_000);
    expect(sent.error).toBeUndefined();
    await rig.pass(2_000);
    expect(sent.error).toMatchObject({ code: 'hardware_timeout', details: { reason: 'too_long' } });
  });
});

describe('a full queue', () => {
  it('makes a frame wait as long as it may', async () => {
    const { rig, one } = await openStuck();
    rig.start(one, { ...frame, count: queueLength });
    await rig.pass(1_000);
    const sent = rig.start(one, { ...frame, timeout_ms: 50 });
    await rig.pass(49_999);
    expect(sent.error).toBeUndefined();
    await rig.pass(1);
    expect(sent.error?.code).toBe('hardware_timeout');
    expect(sent.error?.details).toEqual({
      reason: 'queue_full',
      timeout_ms: 50,
      accepted: 0,
      failed_index: 0,
      channel: 'SIM00001/0',
      selector_kind: 'serial',
    });
    expect(one.listeners).toBe(0);
  });

  it('refuses at once a frame that may not wait', async () => {
    const { rig, one } = await openStuck();
    rig.start(one, { ...frame, count: queueLength });
    await rig.pass(1_000);
    const sent = rig.start(one, { ...frame, timeout_ms: 0 });
    await rig.pass();
    expect(sent.error).toMatchObject({ details: { reason: 'queue_full' } });
  });

  it('gives each frame of a batch a time of its own', async () => {
    const { rig, one } = await openPair();
    const sent = rig.start(one, { ...frame, count: 3 * queueLength, timeout_ms: 2 });
    await rig.pass(1_000_000);
    expect(sent.answer).toMatchObject({ accepted: 3 * queueLength });
  });

  it('tells a batch how far it came', async () => {
    const { rig, one } = await openStuck();
    const sent = rig.start(one, { ...frame, count: 2000 });
    await rig.pass(1_100_000);
    expect(sent.error).toMatchObject({
      code: 'hardware_timeout',
      details: { reason: 'queue_full', accepted: queueLength, failed_index: queueLength },
    });
  });

  it('is not overtaken by what its caller sends once it is accepted', async () => {
    const { rig, one } = await openPair();
    const batch = rig.start(one, { ...frame, count: queueLength });
    await rig.pass(20);
    expect(batch.answer).toMatchObject({ accepted: queueLength });
    rig.start(one, { id: 1 });
    await rig.pass(1_000_000);
    expect(one.sentIds.indexOf(1)).toBe(queueLength);
  });

  it('serves who waits in the order they came', async () => {
    const { rig, one } = await openPair();
    rig.start(one, { ...frame, count: queueLength });
    rig.advanceUs(20);
    for (let id = 1; id <= 5; id++) rig.start(one, { id });
    await rig.pass(1_000_000);
    expect(one.sentIds.filter((id) => id <= 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it('goes on with the next when the first in line gives up', async () => {
    const { rig, one } = await openPair();
    rig.start(one, { ...frame, count: queueLength });
    rig.advanceUs(20);
    const hasty = rig.start(one, { id: 1, timeout_ms: 0 });
    const patient = rig.start(one, { id: 2 });
    await rig.pass(1_000_000);
    expect(hasty.error).toMatchObject({ details: { reason: 'queue_full' } });
    expect(patient.answer).toMatchObject({ accepted: 1 });
  });
});

describe('batches on one channel', () => {
  it('take turns frame by frame', async () => {
    const { rig, one } = await openPair();
    rig.start(one, { id: 1, count: 2000 });
    rig.start(one, { id: 2, count: 2000 });
    await rig.pass(2_000_000);
    const late = one.sentIds.slice(1500, 3500);
    expect(late.filter((id) => id === 1)).toHaveLength(1000);
    expect(late.every((id, i) => i === 0 || id !== late[i - 1])).toBe(true);
  });

  it('leave the other channels alone', async () => {
    const { rig, one } = await openStuck();
    rig.start(one, { ...frame, count: 5000 });
    await rig.pass(10_000);
    const other = await rig.open(2);
    const sent = rig.start(other, frame);
    await rig.pass();
    expect(sent.answer).toMatchObject({ accepted: 1 });
  });

  it('end together when the bus does, each with its own count', async () => {
    const { rig, one } = await openPair();
    const slow = rig.start(one, { ...frame, count: 100, cycle_us: 10_000 });
    const fast = rig.start(one, { ...frame, count: 5000 });
    rig.driver.faults.bitErrors(0, 100);
    await rig.pass(200_000);
    for (const sent of [slow, fast]) {
      expect(sent.error).toMatchObject({
        code: 'channel_cannot_send',
        details: { reason: 'bus_off' },
      });
      expect(sent.error?.details.failed_index).toBe(sent.error?.details.accepted);
    }
    expect(slow.error?.details.accepted).not.toBe(fast.error?.details.accepted);
  });
});

describe('the progress of a batch', () => {
  const watch = () => {
    const reported: SendProgress[] = [];
    return { told: reported, onProgress: (progress: SendProgress) => reported.push(progress) };
  };

  it('is told ten times a second and at the end', async () => {
    const { rig, one } = await openPair();
    const { told: reported, onProgress } = watch();
    rig.start(one, { ...frame, count: 950, cycle_us: 1_000 }, { onProgress });
    await rig.pass(2_000_000);
    expect(reported.map(({ accepted }) => accepted)).toEqual([
      101, 201, 301, 401, 501, 601, 701, 801, 901, 950,
    ]);
    expect(reported.every(({ count }) => count === 950)).toBe(true);
  });

  it('is told with every frame of a slow one', async () => {
    const { rig, one } = await openPair();
    const { told: reported, onProgress } = watch();
    rig.start(one, { ...frame, count: 3, cycle_us: 500_000 }, { onProgress });
    await rig.pass(2_000_000);
    expect(reported.map(({ accepted }) => accepted)).toEqual([2, 3]);
  });

  it('is not told of a single frame', async () => {
    const { rig, one } = await openPair();
    const { told: reported, onProgress } = watch();
    rig.start(one, frame, { onProgress });
    await rig.pass(1_000);
    expect(reported).toEqual([]);
  });

  it('cannot hurt anyone but the batch whose listener throws', async () => {
    const { rig, one } = await openPair();
    const onProgress = () => {
      throw new TypeError('gone');
    };
    const broken = rig.start(one, { ...frame, count: 3, cycle_us: 200_000 }, { onProgress });
    const other = rig.start(one, { ...frame, count: 3, cycle_us: 200_000 });
    await rig.pass(1_000_000);
    expect(broken.error).toMatchObject({ code: 'internal_error', details: { accepted: 2 } });
    expect(other.answer).toMatchObject({ accepted: 3 });
  });
});
