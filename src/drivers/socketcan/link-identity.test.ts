import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkPort } from './link-capabilities.ts';
import { distinctSerials, linkIdentity } from './link-identity.ts';
import type { CanLink } from './netlink/links.ts';
import { fdDown, sja1000Down, slcanDown, vcan } from './netlink/testing/example-links.ts';

describe('who a link is', () => {
  let sysfs: string;

  beforeEach(() => {
    sysfs = mkdtempSync(join(tmpdir(), 'busbar-sysfs-'));
  });
  afterEach(() => rmSync(sysfs, { recursive: true }));

  const put = (path: string, content: string): void => {
    mkdirSync(dirname(join(sysfs, path)), { recursive: true });
    writeFileSync(join(sysfs, path), `${content}\n`);
  };
  /** A USB adapter in sysfs: the interface of a device, below that device. */
  const plugIn = (name: string, files: Record<string, string>, channel = '0x0'): CanLink => {
    put(`class/net/${name}/dev_id`, channel);
    put(`class/net/${name}/dev_port`, '0');
    const usb = 'devices/usb2/2-1/2-1.4';
    mkdirSync(join(sysfs, usb, '2-1.4:1.0'), { recursive: true });
    for (const [file, content] of Object.entries(files)) put(`${usb}/${file}`, content);
    symlinkSync(join(sysfs, usb, '2-1.4:1.0'), join(sysfs, `class/net/${name}/device`));
    return { ...sja1000Down, name, parentBus: 'usb', parentDevice: '2-1.4:1.0' };
  };
  const canable = {
    idVendor: '1d50',
    idProduct: '606f',
    serial: '0031002F 4D51',
    manufacturer: 'protofusion.org',
    product: 'CANable',
    bcdDevice: '0125',
  };

  it('is told by the serial number of a USB adapter, whatever its interface is called', () => {
    const identity = linkIdentity(plugIn('bench-can', canable), sysfs);
    expect(identity).toEqual({
      sn: '1d50:606f:0031002F_4D51:0',
      place: 'usb:2-1.4:1.0:0',
      label: 'protofusion.org CANable',
      firmwareVersion: '1.25',
    });
  });

  it('is told by the channel of an adapter with several', () => {
    expect(linkIdentity(plugIn('can1', canable, '0x1'), sysfs).sn).toBe(
      '1d50:606f:0031002F_4D51:1',
    );
    put('class/net/can2/dev_port', '2');
    expect(linkIdentity({ ...sja1000Down, name: 'can2' }, sysfs).sn).toBe('pci:0000:00:04.0:2');
  });

  it('is told by where it is plugged in, where it has no serial number', () => {
    const { serial, ...nameless } = canable;
    expect(linkIdentity(plugIn('can0', nameless), sysfs)).toMatchObject({
      sn: 'usb:2-1.4:1.0:0',
      label: 'protofusion.org CANable',
    });
    expect(serial).toBeDefined();
    expect(linkIdentity(sja1000Down, sysfs)).toMatchObject({ sn: 'pci:0000:00:04.0:0' });
  });

  it('is told by its name where it is plugged in nowhere', () => {
    expect(linkIdentity(vcan, sysfs)).toEqual({
      sn: 'vcan0',
      place: 'vcan0',
      label: 'vcan',
      firmwareVersion: '',
    });
  });

  it('is told by the places of adapters that have one serial number', () => {
    const one = linkIdentity(plugIn('can0', canable), sysfs);
    const other = { ...one, place: 'usb:2-1.3:1.0:0' };
    expect(distinctSerials([one, other]).map(({ sn }) => sn)).toEqual([one.place, other.place]);
    expect(distinctSerials([one])).toEqual([one]);
  });
});

describe('what a link can do', () => {
  const capabilitiesOf = (link: CanLink) => linkPort(link, 512).capabilities;

  it('follows from the clock and the limits of its controller', () => {
    expect(capabilitiesOf(sja1000Down)).toEqual({
      // Its loopback mode differs from ours: it still sends to the bus.
      modes: ['normal', 'listen_only'],
      settings: ['timing', 'mode', 'bitrate'],
      bitrate: { min: 5000, max: 1_000_000 },
      clockHz: 8_000_000,
      txQueue: 512,
    });
  });

  it('is a list of rates for some', () => {
    expect(capabilitiesOf(slcanDown)).toMatchObject({
      modes: ['normal', 'listen_only'],
      settings: ['mode', 'bitrate'],
      bitrate: { min: 10_000, max: 1_000_000 },
    });
  });

  it('has a data phase and a resistor where the controller has them', () => {
    expect(linkPort(fdDown, 512)).toMatchObject({
      buses: ['can', 'canfd'],
      capabilities: {
        settings: ['timing', 'mode', 'termination', 'bitrate'],
        dataBitrate: { max: 8_000_000 },
      },
    });
  });

  it('is anything without a wire, but not to hear oneself as another', () => {
    expect(linkPort(vcan, 512)).toMatchObject({
      buses: ['can', 'canfd'],
      capabilities: { modes: ['normal', 'listen_only'], settings: ['mode', 'bitrate'] },
    });
  });
});
