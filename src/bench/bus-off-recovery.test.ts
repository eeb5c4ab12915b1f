import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../base/testing/eventually.ts';
import { sendHex } from '../drivers/virtual/testing/virtual-rig.ts';
import type { Channel } from './channel.ts';
import { canOf, refusalOf, sampleBench, TableRig } from './testing/table-rig.ts';

const ms = 1_000;

let rig: TableRig;
beforeEach(() => {
  rig = new TableRig();
});

const openPair = async (more: object = {}): Promise<Channel> => {
  const zero = await rig.open(0, more);
  await rig.open(1);
  return zero;
};

/** Destroys frames until the controller of port 0 is bus off. */
const goBusOff = (channel: Channel): void => {
  rig.driver.faults.bitErrors(0, 32);
  sendHex(canOf(channel), 0x100, '00');
  while (channel.state !== 'bus_off') rig.clock.advanceUs(100);
};

const recover = (text = 'SIM00001/0') => rig.table.recover(text, rig.benchSource);
const configure = (text: string, request: object) =>
  rig.table.configure(text, request, rig.benchSource);

/** A recovery request that waits for the bus; time passes only with the clock. */
const waitingRecovery = async () => {
  const timers = rig.clock.pendingTimers;
  const answer = recover();
  await eventually(() => rig.clock.pendingTimers > timers);
  return { answer, timers };
};

describe('recovering a channel that is bus off', () => {
  it('answers once it is back on the bus, and keeps its events', async () => {
    const zero = await openPair();
    goBusOff(zero);
    const events = rig.records(zero.slot).length;
    const { answer, timers } = await waitingRecovery();
    rig.clock.advanceUs(10 * ms);
    expect(await answer).toMatchObject({ slot: zero.slot, state: 'open' });
    await eventually(() => rig.clock.pendingTimers <= timers);
    expect(rig.records(zero.slot).length).toBeGreaterThan(events);
  });

  it('answers that it is bus off where the bus is never idle', async () => {
    const zero = await openPair();
    goBusOff(zero);
    canOf(zero).recover = async () => undefined;
    const { answer } = await waitingRecovery();
    rig.clock.advanceUs(1_000 * ms);
    expect(await answer).toMatchObject({ state: 'bus_off' });
  });

  it('ends with the channel where that is closed meanwhile', async () => {
    const zero = await openPair();
    goBusOff(zero);
    const { answer } = await waitingRecovery();
    await rig.table.close('SIM00001/0', rig.benchSource);
    expect(await answer).toMatchObject({ state: 'closing' });
    expect((await refusalOf(recover())).code).toBe('channel_not_found');
  });

  it('changes nothing on a channel that is on the bus, and is refused on LIN', async () => {
    const zero = await openPair();
    await rig.open(4);
    expect(await recover()).toEqual(zero.record());
    expect(await refusalOf(recover('SIM00001/4'))).toMatchObject({
      code: 'unsupported_by_hardware',
      details: { field: 'bus', channel: 'SIM00001/4' },
    });
  });
});

describe('restart_ms', () => {
  it('is 0 if it is not asked for: the channel stays bus off', async () => {
    const zero = await openPair();
    goBusOff(zero);
    rig.clock.advanceUs(60_000 * ms);
    expect(zero.record()).toMatchObject({ state: 'bus_off', restart_ms: 0 });
  });

  it('recovers the channel after that time, each time that it is bus off', async () => {
    const zero = await openPair({ restart_ms: 50 });
    for (const _time of [1, 2]) {
      goBusOff(zero);
      rig.clock.advanceUs(49 * ms);
      expect(zero.record()).toMatchObject({ state: 'bus_off', restart_ms: 50 });
      rig.clock.advanceUs(5 * ms);
      expect(zero.state).toBe('open');
    }
    expect(rig.defects).toEqual([]);
  });

  it('can be changed while the channel is bus off, and interrupts nothing', async () => {
    const zero = await openPair();
    const received: string[] = [];
    zero.onInterrupted((why) => received.push(why));
    goBusOff(zero);
    expect(await configure('SIM00001/0', { restart_ms: 20 })).toMatchObject({
      state: 'bus_off',
      restart_ms: 20,
    });
    rig.clock.advanceUs(15 * ms);
    await configure('SIM00001/0', { restart_ms: 0 });
    rig.clock.advanceUs(1_000 * ms);
    expect(zero.state).toBe('bus_off');
    await configure('SIM00001/0', { restart_ms: 20 });
    rig.clock.advanceUs(25 * ms);
    expect([zero.state, received]).toEqual(['open', []]);
  });

  it('is one group of settings of its own', async () => {
    await rig.open(0);
    expect(await refusalOf(configure('0', { restart_ms: 1, mode: 'normal' }))).toMatchObject({
      details: { groups: ['mode', 'restart_ms'] },
    });
  });

  it('reports the first failure of a bus off, and tries again every second', async () => {
    const zero = await openPair({ restart_ms: 10 });
    const refusal = new RangeError('not allowed');
    const { recover: works } = canOf(zero);
    let attempts = 0;
    canOf(zero).recover = async () => {
      attempts += 1;
      throw refusal;
    };
    goBusOff(zero);
    rig.clock.advanceUs(10 * ms);
    await eventually(() => rig.defects.length > 0);
    for (const attempt of [2, 3]) {
      rig.clock.advanceUs(999 * ms);
      expect(attempts).toBe(attempt - 1);
      rig.clock.advanceUs(1 * ms);
      expect(attempts).toBe(attempt);
      await eventually(() => rig.scheduler.nextDeadlineUs < Number.POSITIVE_INFINITY);
      await Promise.resolve();
    }
    expect(rig.defects).toEqual([refusal]);
    canOf(zero).recover = works;
    rig.clock.advanceUs(1_005 * ms);
    await eventually(() => zero.state === 'open');
  });

  it('leaves nothing behind on a channel that is closed while it is bus off', async () => {
    const zero = await openPair({ restart_ms: 10 });
    goBusOff(zero);
    canOf(zero).recover = () => Promise.reject(new RangeError('asked after the end'));
    await rig.table.closeAll();
    rig.clock.advanceUs(1_000 * ms);
    expect([rig.defects, rig.scheduler.scheduledTasks]).toEqual([[], 0]);
  });

  it('outlives a lost device', async () => {
    const zero = await openPair({ restart_ms: 10 });
    rig.driver.faults.loseDevice();
    rig.driver.faults.returnDevice();
    goBusOff(zero);
    rig.clock.advanceUs(20 * ms);
    expect(zero.record()).toMatchObject({ state: 'open', restart_ms: 10 });
  });

  it('is refused on LIN, before anything is opened', async () => {
    const details = { field: 'restart_ms', setting: 'restart_ms' };
    expect(await refusalOf(rig.open(4, { restart_ms: 0 }))).toMatchObject({
      code: 'unsupported_by_hardware',
      message: 'SIM00001/4 has no setting restart_ms: only CAN controllers go bus off',
      details,
    });
    expect(rig.table.channels).toEqual([]);
    const lin = await rig.open(4);
    expect(await refusalOf(configure('SIM00001/4', { restart_ms: 5 }))).toMatchObject({ details });
    expect(lin.record().restart_ms).toBeNull();
  });

  describe('of a network of the bench', () => {
    beforeEach(() => {
      const networks = {
        powertrain: { channel: 'SIM00001/0', restart_ms: 30 },
        body: { channel: 'SIM00001/4', restart_ms: 30 },
      };
      rig.bench = { ...sampleBench, networks };
    });

    const open = (channel: string, more: object = {}) =>
      rig.table.open({ channel, ...more }, rig.benchSource);

    it('holds for channels that are opened by its name, unless the caller asks for another', async () => {
      expect(await open('powertrain')).toMatchObject({ restart_ms: 30 });
      await rig.table.closeAll();
      expect(await open('powertrain', { restart_ms: 0 })).toMatchObject({ restart_ms: 0 });
      await rig.table.closeAll();
      expect(await open('SIM00001/0')).toMatchObject({ restart_ms: 0 });
    });

    it('is refused under its own name where the network is LIN', async () => {
      expect(await refusalOf(open('body'))).toMatchObject({
        code: 'unsupported_by_hardware',
        details: { field: 'networks.body.restart_ms' },
      });
    });
  });
});
