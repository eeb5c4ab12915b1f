import { describe, expect, it } from 'vitest';
import { builtInBench } from '../bench/built-in-bench.ts';
import { canOf, TableRig } from '../bench/testing/table-rig.ts';
import { sendHex } from '../drivers/virtual/testing/virtual-rig.ts';
import { readFrm2 } from '../frame/frm2-event.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import { demoPorts } from './demo-bench.ts';
import { readSignal } from './testing/read-signal.ts';
import { startDemoVehicle } from './vehicle.ts';
import { canFrames, wiperCommand } from './vehicle-frames.ts';
import { wiper } from './vehicle-model.ts';

const ms = 1000;
const [doorsLights] = canFrames.filter(({ name }) => name === 'DoorsLights');

/** A vehicle in dry weather, and its wiper signals on both buses. */
const setUp = async () => {
  const rig = new TableRig();
  const { clock, scheduler } = rig;
  await startDemoVehicle({ place: { directory: null }, channels: rig.table, clock, scheduler });
  const named = (name: string) => {
    const channel = rig.table.channels.find((candidate) => candidate.name === name);
    if (!channel) throw new RangeError(`No channel ${name}`);
    return channel;
  };
  const tap = canOf(named('body-tap'));
  const said = { wiper: Number.NaN, wiperMode: Number.NaN };
  named('body-tap').onFrame((record, at) => {
    const { id, data } = readFrm2(record, at);
    if (!doorsLights || id !== doorsLights.id) return;
    said.wiper = readSignal(doorsLights, 'Wiper', formatHex(data));
  });
  named('door-slave').onFrame((record, at) => {
    const { id, data } = readFrm2(record, at);
    if (id !== wiperCommand.id) return;
    said.wiperMode = readSignal(wiperCommand, 'WiperMode', formatHex(data));
  });
  const wipers = () => {
    clock.advanceUs(200 * ms);
    expect(said.wiperMode).toBe(said.wiper);
    return said.wiper;
  };
  return { rig, tap, wipers };
};

describe('the wipers of the demonstration vehicle', () => {
  it.each([wiper.interval, wiper.slow, wiper.fast])('do as the bus asks: %i', async (mode) => {
    const { tap, wipers } = await setUp();
    expect(wipers()).toBe(wiper.off);
    sendHex(tap, 0x430, `0${mode}`);
    expect(wipers()).toBe(mode);
    sendHex(tap, 0x430, '00');
    expect(wipers()).toBe(wiper.off);
  });

  it('are left to the weather by other values', async () => {
    const { rig, tap, wipers } = await setUp();
    for (const hex of ['04', 'FF', '00']) {
      sendHex(tap, 0x430, '01');
      expect(wipers()).toBe(wiper.interval);
      sendHex(tap, 0x430, hex);
      expect(wipers()).toBe(wiper.off);
    }
    rig.clock.advanceUs(83_000 * ms);
    for (const hex of ['04', 'FF', '00']) {
      sendHex(tap, 0x430, hex);
      expect(wipers()).toBe(wiper.fast);
      sendHex(tap, 0x430, '02');
      expect(wipers()).toBe(wiper.slow);
    }
  });

  it('are left to the weather half a second after the last request', async () => {
    const { tap, wipers } = await setUp();
    for (let i = 0; i < 5; i++) {
      sendHex(tap, 0x430, '03');
      expect(wipers()).toBe(wiper.fast);
    }
    wipers();
    expect(wipers()).toBe(wiper.off);
  });

  it('take no other frame for a request', async () => {
    const { rig, tap, wipers } = await setUp();
    sendHex(tap, 0x431, '03');
    sendHex(tap, 0x430, '');
    sendHex(tap, 0x430, '03', { flags: frameFlag.extended });
    sendHex(tap, 0x430, '', { flags: frameFlag.remote, dlc: 1 });
    expect(wipers()).toBe(wiper.off);
    expect(rig.defects).toEqual([]);
  });
});

describe('the channels of the demonstration vehicle', () => {
  it.each(demoPorts)('carry its frames again once $name was closed and opened', async (port) => {
    const { rig } = await setUp();
    const { table, clock } = rig;
    await table.close(port.channel, rig.benchSource);
    clock.advanceUs(200 * ms);
    await table.open({ channel: port.channel, name: 'again' }, async () => builtInBench);
    const busy = new Set<string>();
    for (const channel of table.channels) {
      channel.onFrame(() => busy.add(channel.selector));
      channel.onSent(() => busy.add(channel.selector));
    }
    clock.advanceUs(200 * ms);
    expect([...busy].sort()).toEqual(demoPorts.map(({ channel }) => channel));
    expect(rig.defects).toEqual([]);
  });

  it('hear requests to the wipers after they were opened again', async () => {
    const { rig, tap, wipers } = await setUp();
    await rig.table.close('body', rig.benchSource);
    await rig.table.open({ channel: 'SIM00001/2' }, async () => builtInBench);
    sendHex(tap, 0x430, '03');
    expect(wipers()).toBe(wiper.fast);
  });
});
