import { beforeEach, describe, expect, it } from 'vitest';
import { eventStatus } from '../drivers/event-status.ts';
import { sendHex } from '../drivers/virtual/testing/virtual-rig.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import { canOf, TableRig } from './testing/table-rig.ts';

let rig: TableRig;
beforeEach(() => {
  rig = new TableRig();
});

const pairOf = async () => ({ zero: await rig.open(0), one: await rig.open(1) });

/** Destroys enough attempts to make the port bus off. */
const forceBusOff = (): void => {
  rig.driver.faults.bitErrors(0, 100);
  sendHex(canOf(rig.channelIn(0)), 0x100, '00');
  rig.clock.advanceUs(1_000_000);
};

const nothing = new Uint8Array(0);

describe('a channel', () => {
  it('tells who it is and how a CAN FD port runs', async () => {
    const channel = await rig.open(0, { name: 'mine' });
    expect(channel).toMatchObject({
      slot: 0,
      selector: 'SIM00001/0',
      sn: 'SIM00001',
      uid: 'sim-0000-0001',
      port: 0,
      number: 1,
      name: 'mine',
      driver: 'virtual',
      state: 'open',
    });
    expect(channel.record()).toEqual({
      slot: 0,
      selector: 'SIM00001/0',
      uid_selector: 'sim-0000-0001/0',
      name: 'mine',
      state: 'open',
      driver: 'virtual',
      sn: 'SIM00001',
      uid: 'sim-0000-0001',
      port: 0,
      number: 1,
      bus: 'canfd',
      mode: 'normal',
      bitrate: 500_000,
      data_bitrate: 2_000_000,
      timing: {
        nominal: {
          prescaler: expect.any(Number),
          tseg1: expect.any(Number),
          tseg2: expect.any(Number),
          sjw: expect.any(Number),
        },
        data: expect.objectContaining({ prescaler: expect.any(Number) }),
      },
      termination: true,
      pull_up: null,
      power: null,
      lin: null,
      restart_ms: 0,
      opened_at_us: rig.clock.unixUs(),
      databases: [],
      warnings: [],
      clock_bracket_us: null,
    });
  });

  it('tells how a LIN port runs, with nothing that only CAN has', async () => {
    const channel = await rig.open(5, { lin: { version: '1.3' } });
    expect(channel.record()).toMatchObject({
      bus: 'lin',
      bitrate: 19_200,
      data_bitrate: null,
      timing: null,
      termination: null,
      pull_up: false,
      power: true,
      lin: { role: 'slave', version: '1.3', checksum: 'classic' },
    });
  });

  it('publishes a frame where it was sent and where it was received', async () => {
    const { zero, one } = await pairOf();
    expect(sendHex(canOf(zero), 0x123, 'DEADBEEF')).toBe('accepted');
    rig.clock.advanceUs(1000);
    const frame = { bus: 'can', id: 0x123, dlc: 4, status: 0, flags: 0, sourceSequence: 1 };
    const data = Uint8Array.of(0xde, 0xad, 0xbe, 0xef);
    expect(rig.records(zero.slot)).toMatchObject([
      { ...frame, kind: 'tx_complete', channel: 0, data },
    ]);
    expect(rig.records(one.slot)).toMatchObject([{ ...frame, kind: 'rx_frame', channel: 1, data }]);
    const ids = [0, 1].flatMap((slot) => rig.records(slot).map(({ eventId }) => eventId));
    expect(ids.sort()).toEqual([1, 2]);
  });

  it('counts, and has rates while the bus is busy and none a while later', async () => {
    const { zero, one } = await pairOf();
    for (let frame = 0; frame < 100; frame++) {
      sendHex(canOf(zero), 0x100, '0000000000000000');
      rig.clock.advanceUs(10_000);
    }
    const sent = zero.stats();
    expect(sent).toMatchObject({
      slot: 0,
      selector: 'SIM00001/0',
      rx_frames: 0,
      tx_frames: 100,
      tx_failed: 0,
      tx_pending: 0,
      error_frames: 0,
      overruns: 0,
      rx_rate_fps: 0,
      tx_rate_fps: 100,
      bus_state: 'error_active',
      tx_error_count: 0,
      rx_error_count: 0,
      times_lost: 0,
    });
    // From 111 to 135 bits of 2 µs, a hundred times a second.
    expect(sent.bus_load_percent).toBeGreaterThan(2.2);
    expect(sent.bus_load_percent).toBeLessThan(2.8);
    expect(one.stats()).toMatchObject({ rx_frames: 100, rx_rate_fps: 100, tx_rate_fps: 0 });
    rig.clock.advanceUs(1_500_000);
    expect(zero.stats()).toMatchObject({
      tx_frames: 100,
      tx_rate_fps: 0,
      bus_load_percent: 0,
    });
  });

  it('has a record published before its owner hears of the outcome and may send at once', async () => {
    const { zero } = await pairOf();
    const published: number[] = [];
    const send = () => lane.send(0x200, 0, 0, nothing, 0, 0);
    const lane = zero.outbox.open({
      settled: () => {
        published.push(rig.records(0).length);
        if (published.length < 3) send();
      },
    });
    send();
    rig.clock.advanceUs(5000);
    expect(published).toEqual([1, 2, 3]);
    expect(rig.defects).toEqual([]);
  });

  it('counts what waits for the port and what was given up meanwhile', async () => {
    const { zero } = await pairOf();
    const lane = zero.outbox.open({});
    for (let id = 0; id < 5; id++) lane.send(id, 0, 0, nothing, 0, 0);
    expect(zero.stats()).toMatchObject({ tx_pending: 5, tx_failed: 0 });
    await rig.table.configure('0', { bitrate: 250_000 }, rig.benchSource);
    expect(zero.stats()).toMatchObject({ tx_pending: 0, tx_failed: 5 });
  });

  it('is lost with its device and open again when that comes back', async () => {
    const { zero } = await pairOf();
    const received: string[] = [];
    zero.onInterrupted((why) => received.push(why));
    rig.driver.faults.loseDevice();
    expect([zero.state, zero.record().state, zero.stats().times_lost]).toEqual(['lost', 'lost', 1]);
    rig.driver.faults.returnDevice();
    expect(zero.state).toBe('open');
    rig.driver.faults.loseDevice();
    expect(zero.stats().times_lost).toBe(2);
    expect(received).toEqual(['lost', 'lost']);
  });

  it('shows among its events where its device was gone', async () => {
    const { zero } = await pairOf();
    rig.driver.faults.loseDevice();
    rig.driver.faults.returnDevice();
    const marks = rig.records(zero.slot).filter(({ flags }) => flags === frameFlag.error);
    expect(marks.map(({ status }) => status)).toEqual([
      eventStatus.device_lost,
      eventStatus.device_returned,
    ]);
  });

  it('is bus off when its controller is, until that has recovered', async () => {
    const { zero } = await pairOf();
    forceBusOff();
    expect([zero.state, zero.stats().bus_state]).toEqual(['bus_off', 'bus_off']);
    rig.driver.faults.bitErrors(0, 0);
    canOf(zero).recover();
    rig.clock.advanceUs(1_000_000);
    expect([zero.state, zero.stats().bus_state]).toEqual(['open', 'error_active']);
  });

  it('leaves bus off with a change that starts its controller anew, and not with another', async () => {
    const { zero } = await pairOf();
    forceBusOff();
    await rig.table.configure('0', { termination: false }, rig.benchSource);
    expect(zero.state).toBe('bus_off');
    await rig.table.configure('0', { bitrate: 250_000 }, rig.benchSource);
    expect(zero.state).toBe('open');
  });

  it('forgets bus off with a device that was lost and came back', async () => {
    const { zero } = await pairOf();
    forceBusOff();
    rig.driver.faults.loseDevice();
    expect(zero.state).toBe('lost');
    rig.driver.faults.returnDevice();
    expect(zero.state).toBe('open');
  });
});

describe('the sampling of rates', () => {
  it('goes on only while a channel is open', async () => {
    const tasks = () => rig.scheduler.scheduledTasks;
    const before = tasks();
    await rig.open(0);
    await rig.open(2);
    expect(tasks()).toBe(before + 1);
    rig.clock.advanceUs(3_000_000);
    expect(tasks()).toBe(before + 1);
    await rig.table.close('0', rig.benchSource);
    expect(tasks()).toBe(before + 1);
    await rig.table.close('1', rig.benchSource);
    expect(tasks()).toBe(before);
    expect(rig.defects).toEqual([]);
  });
});
