import { describe, expect, it } from 'vitest';
import type { DeviceInfo } from '../drivers/driver.ts';
import { virtualDevice } from '../drivers/virtual/virtual-ports.ts';
import { benchPortName, type Directory, meaningOf } from './channel-lookup.ts';
import type { KnownDevice } from './device-list.ts';
import { parseSelector } from './selector.ts';
import { sampleBench } from './testing/table-rig.ts';

const device = (sn: string, uid: string, driver = 'virtual'): KnownDevice => {
  const info: DeviceInfo = { ...virtualDevice, sn, uid };
  return { driver, driverSn: sn, info, isPresent: true };
};

const directory = (more: Partial<Directory> = {}): Directory => ({
  channelIn: () => undefined,
  channelAt: () => undefined,
  devices: [device('SIM00001', 'sim-0000-0001')],
  bench: sampleBench,
  ...more,
});

const lookUp = (text: string, more?: Partial<Directory>) =>
  meaningOf(parseSelector(text), directory(more));

describe('meaningOf', () => {
  it('takes a serial number before a UID that reads the same', () => {
    const devices = [device('other', 'twin'), device('twin', 'more')];
    expect(lookUp('twin/0', { devices })).toMatchObject({ kind: 'serial', device: devices[1] });
    expect(lookUp('more/0', { devices })).toMatchObject({ kind: 'uid', device: devices[1] });
  });

  it.each<[text: string, meaning: object]>([
    ['SIM00001/0', { is: 'port', kind: 'serial', resolved: null, port: 0 }],
    ['sim-0000-0001/5', { is: 'port', kind: 'uid', resolved: null, port: 5 }],
    ['SIM00001/6', { is: 'nothing', kind: 'serial', resolved: null }],
    ['sim-0000-0001/6', { is: 'nothing', kind: 'uid', resolved: null }],
    ['nobody/0', { is: 'nothing', kind: 'serial', resolved: null }],
    ['0', { is: 'nothing', kind: 'slot', resolved: null }],
    ['engine', { is: 'port', kind: 'name', resolved: null, port: 0 }],
    ['missing', { is: 'absent', kind: 'name', resolved: null }],
    ['elsewhere', { is: 'absent', kind: 'name', resolved: null }],
    ['powertrain', { is: 'port', kind: 'network', resolved: 'SIM00001/0', port: 0 }],
    ['body', { is: 'port', kind: 'network', resolved: 'SIM00001/4', port: 4 }],
    ['nowhere', { is: 'absent', kind: 'network', resolved: 'GONE0001/7' }],
    ['spare', { is: 'unbound', kind: 'network', resolved: null }],
    ['plc', { is: 'foreign', kind: 'network', resolved: 'tcp:plc:502' }],
    ['unheard-of', { is: 'nothing', kind: 'name', resolved: null }],
    ['constructor', { is: 'nothing', kind: 'name', resolved: null }],
    ['__proto__', { is: 'nothing', kind: 'name', resolved: null }],
  ])('knows what %s means', (text, meaning) => {
    expect(lookUp(text)).toMatchObject(meaning);
  });

  it('prefers the name of a port to a network', () => {
    const bench = { ...sampleBench, networks: { engine: { channel: null } } };
    expect(lookUp('engine', { bench })).toMatchObject({ is: 'port', kind: 'name' });
  });
});

describe('benchPortName', () => {
  it('finds the name by serial number or UID, and only with the right driver', () => {
    const [first] = directory().devices;
    if (!first) throw new RangeError('no device');
    expect(benchPortName(sampleBench, first, 1)).toBe('gearbox');
    expect(benchPortName(sampleBench, first, 2)).toBeNull();
    expect(benchPortName(sampleBench, device('x', 'SIM00001'), 1)).toBe('gearbox');
    expect(benchPortName(sampleBench, device('SIM00001', 'y', 'other'), 2)).toBe('elsewhere');
    expect(benchPortName(sampleBench, device('z', 'z'), 1)).toBeNull();
  });

  it('finds the name by the address that the device was found at', () => {
    const address = '/dev/ttyACM0';
    const bench = { ...sampleBench, devices: [{ driver: 'slcan', address, ports: { 0: 'rig' } }] };
    const found = device('A12F', 'usb-1', 'slcan');
    const at = (place: string) => ({ ...found, info: { ...found.info, address: place } });
    expect(benchPortName(bench, at(address), 0)).toBe('rig');
    expect(benchPortName(bench, at('/dev/ttyACM1'), 0)).toBeNull();
  });
});
