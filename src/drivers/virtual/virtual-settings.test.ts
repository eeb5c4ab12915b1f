import { describe, expect, it } from 'vitest';
import type { ChannelSettings, OpenSettings, SettingChange } from '../channel-settings.ts';
import type { PortInfo } from '../driver.ts';
import { virtualDevice } from './virtual-ports.ts';
import { changedSettings, openedSettings } from './virtual-settings.ts';

const portAt = (port: number): PortInfo => {
  const info = virtualDevice.ports[port];
  if (!info) throw new RangeError(`No port ${port}`);
  return info;
};
const can = portAt(0);
const master = portAt(4);
const slave = portAt(5);

/** The error of a rejected setting. */
const refusalOf = (action: () => unknown): unknown => {
  try {
    return action();
  } catch (error) {
    return (error as { details: unknown }).details;
  }
};

const timing = { prescaler: 2, tseg1: 55, tseg2: 24, sjw: 24 };

describe('openedSettings', () => {
  it('opens a CAN port as CAN FD at the usual rates unless told otherwise', () => {
    expect(openedSettings(can, {})).toMatchObject({
      bus: 'canfd',
      mode: 'normal',
      bitrate: 500_000,
      dataBitrate: 2_000_000,
      termination: true,
    });
  });

  it('gives a classic channel no data phase', () => {
    const settings = openedSettings(can, { bus: 'can', bitrate: 250_000 });
    expect(settings).not.toHaveProperty('dataBitrate');
    expect(settings.timing).not.toHaveProperty('data');
    expect(settings).toMatchObject({ bus: 'can', bitrate: 250_000 });
  });

  it('takes the rates from a timing, which wins', () => {
    const settings = openedSettings(can, { timing: { nominal: timing }, bitrate: 125_000 });
    expect(settings).toMatchObject({ bitrate: 500_000, timing: { nominal: timing } });
    const data = { prescaler: 1, tseg1: 11, tseg2: 4, sjw: 4 };
    const both = openedSettings(can, { timing: { nominal: timing, data } });
    expect(both).toMatchObject({ bitrate: 500_000, dataBitrate: 5_000_000 });
  });

  it('makes a working pair of the two LIN ports', () => {
    expect(openedSettings(master, {})).toEqual({
      bus: 'lin',
      mode: 'normal',
      bitrate: 19_200,
      pullUp: true,
      power: true,
      lin: { role: 'master', version: '2.2', checksum: 'enhanced' },
    });
    expect(openedSettings(slave, {})).toMatchObject({ pullUp: false, lin: { role: 'slave' } });
  });

  it.each([
    ['bus', can, { bus: 'lin' }],
    ['bus', slave, { bus: 'canfd' }],
    ['pull_up', can, { pullUp: true }],
    ['power', can, { power: true }],
    ['lin', can, { lin: { role: 'master' } }],
    ['termination', slave, { termination: false }],
    ['timing', slave, { timing: { nominal: timing } }],
    ['mode', slave, { mode: 'loopback' }],
    ['bitrate', slave, { bitrate: 20_001 }],
    ['bitrate', can, { bitrate: 1_000_001 }],
    ['bitrate', can, { bitrate: 9_999 }],
    ['data_bitrate', can, { dataBitrate: 8_000_001 }],
    ['data_bitrate', can, { bus: 'can', dataBitrate: 1_000_000 }],
    ['data_bitrate', slave, { dataBitrate: 1_000_000 }],
    ['timing.data', can, { bus: 'can', timing: { nominal: timing, data: timing } }],
    ['timing.nominal', can, { timing: { nominal: { ...timing, prescaler: 512 } } }],
  ] as [string, PortInfo, OpenSettings][])(
    'refuses what the port does not have: %s',
    (setting, info, asked) => {
      expect(refusalOf(() => openedSettings(info, asked))).toMatchObject({
        reason: 'unsupported',
        setting,
      });
    },
  );

  it('refuses a timing that no controller takes, naming the field', () => {
    const bad = { nominal: { ...timing, tseg2: 0 } };
    expect(refusalOf(() => openedSettings(can, { timing: bad }))).toMatchObject({
      field: 'timing.nominal.tseg2',
    });
  });
});

describe('changedSettings', () => {
  const fd = openedSettings(can, {});
  const classic = openedSettings(can, { bus: 'can' });
  const lin = openedSettings(slave, {});

  it.each([
    [can, fd, { group: 'mode', mode: 'normal' }],
    [can, fd, { group: 'bitrate', bitrate: 500_000 }],
    [can, fd, { group: 'bitrate', bitrate: 500_000, dataBitrate: 2_000_000 }],
    [can, fd, { group: 'timing', ...fd.timing }],
    [can, fd, { group: 'termination', termination: true }],
    [slave, lin, { group: 'lin' }],
    [slave, lin, { group: 'lin', version: '2.2', checksum: 'enhanced' }],
    [slave, lin, { group: 'pull_up', pullUp: false }],
    [slave, lin, { group: 'power', power: true }],
  ] as [PortInfo, ChannelSettings, SettingChange][])(
    'changes nothing where the value is set already: %#',
    (info, settings, change) => {
      expect(changedSettings(info, settings, change)).toBe(settings);
    },
  );

  it('keeps a timing of its own when the rate it makes is set again', () => {
    const own = openedSettings(can, { timing: { nominal: timing } });
    expect(changedSettings(can, own, { group: 'bitrate', bitrate: 500_000 })).toBe(own);
  });

  it.each([
    [can, fd, { group: 'mode', mode: 'listen_only' }, { mode: 'listen_only' }],
    [can, fd, { group: 'bitrate', bitrate: 250_000 }, { bitrate: 250_000, dataBitrate: 2_000_000 }],
    [
      can,
      fd,
      { group: 'bitrate', bitrate: 500_000, dataBitrate: 5_000_000 },
      { bitrate: 500_000, dataBitrate: 5_000_000 },
    ],
    [can, classic, { group: 'bitrate', bitrate: 1_000_000 }, { bitrate: 1_000_000 }],
    [can, classic, { group: 'timing', nominal: timing }, { timing: { nominal: timing } }],
    [can, fd, { group: 'termination', termination: false }, { termination: false }],
    [slave, lin, { group: 'bitrate', bitrate: 9_600 }, { bitrate: 9_600 }],
    [slave, lin, { group: 'pull_up', pullUp: true }, { pullUp: true }],
    [slave, lin, { group: 'power', power: false }, { power: false }],
    [
      slave,
      lin,
      { group: 'lin', version: '1.3' },
      { lin: { role: 'slave', version: '1.3', checksum: 'classic' } },
    ],
    [
      slave,
      lin,
      { group: 'lin', checksum: 'classic' },
      { lin: { role: 'slave', version: '2.2', checksum: 'classic' } },
    ],
  ] as [PortInfo, ChannelSettings, SettingChange, object][])(
    'changes what it is told and keeps the rest: %#',
    (info, settings, change, expected) => {
      const next = changedSettings(info, settings, change);
      expect(next).toMatchObject(expected);
      expect(Object.keys(next).sort()).toEqual(Object.keys(settings).sort());
    },
  );

  it.each([
    ['pull_up', can, fd, { group: 'pull_up', pullUp: true }],
    ['power', can, fd, { group: 'power', power: true }],
    ['lin', can, fd, { group: 'lin' }],
    ['timing', slave, lin, { group: 'timing', nominal: timing }],
    ['termination', slave, lin, { group: 'termination', termination: true }],
    ['mode', slave, lin, { group: 'mode', mode: 'loopback' }],
    ['data_bitrate', can, classic, { group: 'bitrate', bitrate: 500_000, dataBitrate: 1e6 }],
    ['data_bitrate', slave, lin, { group: 'bitrate', bitrate: 9600, dataBitrate: 9600 }],
    ['bitrate', slave, lin, { group: 'bitrate', bitrate: 500_000 }],
  ] as [string, PortInfo, ChannelSettings, SettingChange][])(
    'refuses what the port does not have: %s',
    (setting, info, settings, change) => {
      expect(refusalOf(() => changedSettings(info, settings, change))).toMatchObject({
        reason: 'unsupported',
        setting,
      });
    },
  );
});
