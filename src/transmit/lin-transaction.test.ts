import { describe, expect, it } from 'vitest';
import { frameFlag } from '../frame/frm2-layout.ts';
import { SendRig, settle } from './testing/send-rig.ts';

const read = { type: 'master-read', id: 0x21, dlc: 2 } as const;
const unixStartUs = 1_700_000_000_000_000;

const openPair = async () => {
  const rig = new SendRig();
  const master = await rig.open(4, { bitrate: 10_000 });
  const slave = await rig.open(5, { bitrate: 10_000 });
  const answer = (...values: number[]) => {
    const { hardware } = slave;
    if (hardware.bus !== 'lin') return;
    const { enhancedChecksum } = frameFlag;
    hardware.setResponse(0x21, enhancedChecksum, Uint8Array.from(values), 0, values.length);
  };
  return { rig, master, slave, answer };
};

/** Duration of a header and two bytes with their checksum, at 10 kbit/s. */
const frameUs = 3_400 + 3_000;

describe('a master read', () => {
  it('answers with the response', async () => {
    const { rig, master, answer } = await openPair();
    answer(0xab, 0x01);
    const sent = rig.start(master, read);
    await rig.pass(frameUs - 1);
    expect(sent.answer).toBeUndefined();
    await rig.pass(1000);
    expect(sent.answer).toEqual({
      accepted: 1,
      channel: 'SIM00001/4',
      selector_kind: 'serial',
      slot: 3,
      resolved: null,
      response: {
        id: 0x21,
        dlc: 2,
        data: 'AB01',
        checksum: 0xf1,
        checksum_model: 'enhanced',
        timestamp_us: unixStartUs + frameUs,
      },
    });
    expect(master.listeners).toBe(0);
  });

  it('times out where nobody responds', async () => {
    const { rig, master } = await openPair();
    const sent = rig.start(master, read);
    await rig.pass(100_000);
    expect(sent.error?.code).toBe('hardware_timeout');
    expect(sent.error?.details).toEqual({
      reason: 'no_response',
      accepted: 1,
      failed_index: 0,
      channel: 'SIM00001/4',
      selector_kind: 'serial',
    });
  });

  it('fails on a wrong checksum and hands over what it got', async () => {
    const { rig, master, answer } = await openPair();
    answer(0xab, 0x01);
    rig.driver.faults.wrongChecksums(5, 1);
    const sent = rig.start(master, read);
    await rig.pass(100_000);
    expect(sent.error).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'checksum_error', data: 'AB01', checksum: 0x0e },
    });
  });

  it('fails on a collision', async () => {
    const rig = new SendRig();
    const one = await rig.open(4, { bitrate: 10_000 });
    const two = await rig.open(5, { bitrate: 10_000, lin: { role: 'master' } });
    const sent = rig.start(one, read);
    await rig.pass(1_000);
    rig.start(two, read);
    await rig.pass(100_000);
    expect(sent.error?.code).toBe('hardware_error');
    expect(sent.error?.details).toEqual({
      reason: 'collision',
      accepted: 1,
      failed_index: 0,
      channel: 'SIM00001/4',
      selector_kind: 'serial',
    });
  });

  it('waits no longer than it may', async () => {
    const { rig, master, answer } = await openPair();
    answer(1, 2);
    for (let i = 0; i < 10; i++) rig.start(master, { type: 'master-write', id: 1, data: '00' });
    const sent = rig.start(master, { ...read, timeout_ms: 5 });
    await rig.pass(4_999);
    expect(sent.error).toBeUndefined();
    await rig.pass(1);
    expect(sent.error).toMatchObject({
      code: 'hardware_timeout',
      details: { reason: 'timeout', timeout_ms: 5, accepted: 1, failed_index: 0 },
    });
    await rig.pass(1_000_000);
    expect(master.listeners).toBe(0);
  });

  it.each(['close', 'configure'] as const)('is cancelled by %s', async (how) => {
    const { rig, master } = await openPair();
    const sent = rig.start(master, read);
    await rig.pass(1_000);
    if (how === 'close') await master.close();
    else await master.configure({ group: 'bitrate', bitrate: 9_600 });
    await settle();
    expect(sent.error?.code).toBe('operation_cancelled');
    expect(sent.error?.details).toEqual({
      cancelled: true,
      reason: how === 'close' ? 'closed' : 'configured',
      accepted: 1,
      failed_index: 0,
      channel: 'SIM00001/4',
      selector_kind: 'serial',
    });
  });

  it('fails with its device', async () => {
    const { rig, master } = await openPair();
    const sent = rig.start(master, read);
    await rig.pass(1_000);
    rig.driver.faults.loseDevice();
    await settle();
    expect(sent.error).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'device_lost', accepted: 1, failed_index: 0 },
    });
  });

  it('is cancelled in the end if the driver gave it up and nobody says why', async () => {
    const { rig, master } = await openPair();
    const sent = rig.start(master, read);
    await rig.pass(1_000);
    await master.hardware.configure({ group: 'bitrate', bitrate: 9_600 });
    await rig.pass(500_000);
    expect(sent.error).toBeUndefined();
    await rig.pass(500_000);
    expect(sent.error).toMatchObject({
      code: 'operation_cancelled',
      details: { cancelled: true, reason: 'aborted' },
    });
  });

  it('lets the caller that waits for room go on when it is over', async () => {
    const { rig, master, answer } = await openPair();
    answer(1, 2);
    const reads = Array.from({ length: 256 }, () => rig.start(master, read));
    const write = rig.start(master, { type: 'master-write', id: 1, data: '00', timeout_ms: 10 });
    await rig.pass(7_000);
    expect(reads[0]?.answer).toMatchObject({ response: { data: '0102' } });
    expect(write.answer).toMatchObject({ accepted: 1 });
  });
});

describe('a batch of master reads', () => {
  it('asks again after each response and answers with the last', async () => {
    const { rig, master, slave, answer } = await openPair();
    answer(1, 1);
    const sent = rig.start(master, { ...read, count: 3 });
    expect(master.hardware.stats().txPending).toBe(1);
    await rig.pass(frameUs + 1_000);
    answer(2, 2);
    await rig.pass(100_000);
    expect(sent.answer).toMatchObject({ accepted: 3, response: { data: '0202' } });
    expect(slave.events.completed).toHaveLength(3);
  });

  it('keeps to its cycle', async () => {
    const { rig, master, slave, answer } = await openPair();
    answer(1, 1);
    rig.start(master, { ...read, count: 3, cycle_us: 20_000 });
    await rig.pass(100_000);
    expect(slave.events.completed.map((event) => rig.sinceStart(event))).toEqual([
      frameUs,
      20_000 + frameUs,
      40_000 + frameUs,
    ]);
  });

  it('stops at the first that fails', async () => {
    const { rig, master, answer } = await openPair();
    answer(1, 1);
    const sent = rig.start(master, { ...read, count: 5, cycle_us: 20_000 });
    await rig.pass(30_000);
    rig.driver.faults.droppedResponses(5, 1);
    await rig.pass(100_000);
    expect(sent.error).toMatchObject({
      code: 'hardware_timeout',
      details: { reason: 'no_response', accepted: 3, failed_index: 2 },
    });
  });
});
