import { describe, expect, it } from 'vitest';
import type { DeviceInfo, Driver } from '../drivers/driver.ts';
import { virtualDevice } from '../drivers/virtual/virtual-ports.ts';
import { DeviceList } from './device-list.ts';
import { deviceRecord } from './device-record.ts';
import { TableRig } from './testing/table-rig.ts';

const device = (sn: string): DeviceInfo => ({ ...virtualDevice, sn, uid: `uid-${sn}` });

/** Drivers with these devices; one without a list cannot search. */
const listOf = (serials: Record<string, string[] | null>, inUse: string[] = []) => {
  const defects: unknown[] = [];
  const driverOf = (kind: string): Driver => ({
    kind,
    devices: async () => {
      const found = serials[kind];
      if (!found) throw new RangeError(`${kind} is blind`);
      return found.map(device);
    },
    open: () => Promise.reject(new RangeError('nothing opens here')),
    close: async () => undefined,
  });
  const list = new DeviceList({
    drivers: { kinds: Object.keys(serials), get: async (kind) => driverOf(kind) },
    isInUse: (sn) => inUse.includes(sn),
    onDefect: (thrown) => defects.push(thrown),
  });
  const look = async () =>
    (await list.look()).map(({ driver, info, isPresent }) => [driver, info.sn, isPresent]);
  return { list, look, defects };
};

describe('DeviceList', () => {
  it('knows nothing before it has looked', () => {
    expect(listOf({ a: ['1'] }).list.known).toEqual([]);
  });

  it('lists a device once that its driver has found twice', async () => {
    const { look } = listOf({ a: ['1', '2'], b: ['3', '3'] });
    expect(await look()).toEqual([
      ['a', '1', true],
      ['a', '2', true],
      ['b', '3', true],
    ]);
  });

  it('tells devices of two drivers apart that carry one serial number', async () => {
    const { look, list } = listOf({ a: ['1', '2'], b: ['2'] });
    expect(await look()).toEqual([
      ['a', '1', true],
      ['a', '2-a', true],
      ['b', '2-b', true],
    ]);
    expect(list.known.map(({ driverSn }) => driverSn)).toEqual(['1', '2', '2']);
  });

  it('keeps the name of a device in use when another one with its number is plugged in', async () => {
    const serials: Record<string, string[]> = { a: [], b: ['2'] };
    const { look } = listOf(serials, ['2']);
    expect(await look()).toEqual([['b', '2', true]]);
    serials.a = ['2'];
    expect(await look()).toEqual([
      ['a', '2-a', true],
      ['b', '2', true],
    ]);
    serials.b = [];
    expect(await look()).toEqual([
      ['a', '2-a', true],
      ['b', '2', false],
    ]);
  });

  it('keeps a device that is gone as long as it is in use', async () => {
    const serials = { a: ['1', '2'] };
    const inUse = ['1'];
    const { look } = listOf(serials, inUse);
    await look();
    serials.a = [];
    expect(await look()).toEqual([['a', '1', false]]);
    serials.a = ['1'];
    expect(await look()).toEqual([['a', '1', true]]);
    serials.a = [];
    inUse.length = 0;
    expect(await look()).toEqual([]);
  });

  it('shows the devices of all others when one driver cannot look, and what it had', async () => {
    const serials: Record<string, string[] | null> = { a: ['1'], b: ['2'] };
    const { look, defects } = listOf(serials);
    await look();
    serials.a = null;
    expect(await look()).toEqual([
      ['a', '1', true],
      ['b', '2', true],
    ]);
    expect(defects).toEqual([new RangeError('a is blind')]);
  });
});

describe('the devices of a table', () => {
  it('are told with their ports, capabilities and open channels', async () => {
    const rig = new TableRig();
    await rig.open(2);
    await rig.open(4);
    const devices = await rig.table.devices();
    expect(devices).toMatchObject([
      {
        sn: 'SIM00001',
        uid: 'sim-0000-0001',
        name: 'Virtual bench',
        driver: 'virtual',
        firmware_version: '1.0.0',
        state: 'present',
        needs: null,
      },
    ]);
    const ports = devices[0]?.ports ?? [];
    expect(ports.map(({ port, selector, channel }) => [port, selector, channel])).toEqual([
      [0, 'SIM00001/0', null],
      [1, 'SIM00001/1', null],
      [2, 'SIM00001/2', 0],
      [3, 'SIM00001/3', null],
      [4, 'SIM00001/4', 1],
      [5, 'SIM00001/5', null],
    ]);
    expect(ports[0]).toMatchObject({
      name: 'CAN FD 0',
      buses: ['can', 'canfd'],
      capabilities: {
        modes: ['normal', 'listen_only', 'loopback'],
        settings: ['timing', 'mode', 'termination', 'bitrate', 'restart_ms'],
        bitrate: { min: 10_000, max: 1_000_000 },
        data_bitrate: { min: 100_000, max: 8_000_000 },
        clock_hz: 80_000_000,
        lin_roles: [],
        lin_versions: [],
        tx_queue: 1024,
      },
    });
    expect(ports[4]?.capabilities).toMatchObject({
      data_bitrate: null,
      clock_hz: null,
      lin_roles: ['master', 'slave'],
      lin_versions: ['1.3', '2.0', '2.1', '2.2'],
    });
  });

  it('include a lost one while it has open channels', async () => {
    const rig = new TableRig();
    await rig.open(0);
    rig.driver.faults.loseDevice();
    expect(await rig.table.devices()).toMatchObject([{ sn: 'SIM00001', state: 'lost' }]);
    await rig.table.close('0', rig.benchSource);
    expect(await rig.table.devices()).toEqual([]);
    rig.driver.faults.returnDevice();
    expect(await rig.table.devices()).toMatchObject([{ state: 'present' }]);
  });

  it('say what has to be run before they can be opened', () => {
    const info = { sn: 'c', uid: 'can0', name: 'CANable', firmwareVersion: '', ports: [] };
    const needs = 'ip link set can0 up type can bitrate 500000';
    const record = deviceRecord(
      { driver: 'socketcan', driverSn: 'c', info: { ...info, needs }, isPresent: true },
      () => undefined,
    );
    expect(record.needs).toBe(needs);
  });
});
