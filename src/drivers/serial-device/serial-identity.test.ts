import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identifySerialDevice } from './serial-identity.ts';

/** Any character device works: its identity comes from the sysfs tree of the test. */
const node = '/dev/null';

describe('the identity of a serial device', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-sysfs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const files = (path: string, content: Record<string, string>): string => {
    const target = join(folder, path);
    mkdirSync(target, { recursive: true });
    for (const [file, text] of Object.entries(content)) writeFileSync(join(target, file), text);
    return target;
  };

  /** A sysfs tree as the kernel makes it for a USB adapter. */
  const plug = (device: Record<string, string>, interfaceNumber: string, below = ''): void => {
    files('usb/1-1', { idVendor: '0403\n', idProduct: '6001\n', ...device });
    files(`usb/1-1/1-1:1.${Number(interfaceNumber)}`, {
      bInterfaceNumber: `${interfaceNumber}\n`,
    });
    const port = files(join('usb/1-1', `1-1:1.${Number(interfaceNumber)}`, below), {});
    mkdirSync(join(folder, 'class', 'null'), { recursive: true });
    symlinkSync(port, join(folder, 'class', 'null', 'device'));
  };

  const identify = (named = node) => identifySerialDevice(named, join(folder, 'class'));

  it('is the USB serial number where there is one', async () => {
    plug({ serial: 'A50285BI\n', product: 'FT232R USB UART\n' }, '00', 'ttyUSB0');
    expect(await identify()).toEqual({
      path: node,
      sn: 'A50285BI',
      uid: 'usb-0403-6001-A50285BI',
      ownName: expect.objectContaining({ uid: expect.stringMatching(/^serial-/) }),
      name: 'FT232R USB UART',
      usb: {
        vendorId: '0403',
        productId: '6001',
        serial: 'A50285BI',
        interfaceNumber: 0,
        product: 'FT232R USB UART',
      },
      isMemoryMapped: false,
    });
  });

  it.each([
    ['pnp', true],
    ['amba', true],
    ['spi', false],
    ['i2c', false],
    [undefined, false],
  ])('says of a UART on %s whether it is controlled by registers: %s', async (bus, expected) => {
    const port = files('uart/base/port', {});
    const link = (name: string, ...at: string[]): void => {
      symlinkSync(files(`bus/${name}`, {}), join(folder, ...at, 'subsystem'));
    };
    link('serial-base', 'uart', 'base', 'port');
    link('serial-base', 'uart', 'base');
    if (bus) link(bus, 'uart');
    mkdirSync(join(folder, 'class', 'null'), { recursive: true });
    symlinkSync(port, join(folder, 'class', 'null', 'device'));
    expect(await identify()).toMatchObject({ sn: 'null', isMemoryMapped: expected });
  });

  it('tells the ports of one adapter apart', async () => {
    plug({ serial: 'FT4\n' }, '02');
    expect(await identify()).toMatchObject({ sn: 'FT4-2', uid: 'usb-0403-6001-FT4-2' });
  });

  it.each([
    ['no serial number', {}],
    ['a serial number of blanks', { serial: '  \n' }],
    ['a serial number of slashes', { serial: '//\n' }],
  ])('is made of the name where the device has %s', async (_, device) => {
    plug(device, '00');
    expect(await identify()).toMatchObject({ sn: 'null', uid: 'serial-null' });
  });

  it('is made of the name that was given, not of where that leads to', async () => {
    const link = join(folder, 'my lin');
    symlinkSync(node, link);
    const identity = await identify(link);
    expect(identity?.path).toBe(node);
    expect(identity?.sn).toMatch(/^tmp-busbar-sysfs-\w+-my-lin$/);
    expect(identity?.usb).toBeUndefined();
  });

  it('keeps a serial number fit for a selector', async () => {
    plug({ serial: '../a b/c\n' }, '00');
    expect((await identify())?.sn).toBe('..-a-b-c');
  });

  it('is none where no device is', async () => {
    expect(await identify(join(folder, 'nothing'))).toBeUndefined();
    expect(await identify(folder)).toBeUndefined();
  });
});
