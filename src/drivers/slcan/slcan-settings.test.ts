import { describe, expect, it } from 'vitest';
import type { OpenSettings, SettingChange } from '../channel-settings.ts';
import { type SlcanProfile, silentProfile } from './slcan-profile.ts';
import { changedSettings, openedSettings, slcanPort } from './slcan-settings.ts';

const lawicel: SlcanProfile = {
  acknowledges: true,
  fd: false,
  timing: { form: 'btr', clockHz: 8_000_000 },
  version: '1013',
  serial: 'A12F',
};
const flexible: SlcanProfile = {
  ...lawicel,
  fd: true,
  timing: { form: 'segments', clockHz: 160_000_000 },
};

const commands = (profile: SlcanProfile, asked: OpenSettings) =>
  openedSettings(profile, asked).commands;

const refusalOf = (action: () => unknown) => {
  try {
    action();
  } catch (thrown) {
    const { code, details } = thrown as { code: string; details: Record<string, unknown> };
    return { code, field: details.field };
  }
  return 'nothing was refused';
};

describe('the commands of an slcan adapter', () => {
  it('set rates by their codes', () => {
    expect(commands(lawicel, {})).toEqual(['S6', 'O']);
    expect(commands(lawicel, { bitrate: 800_000 })).toEqual(['S7', 'O']);
    expect(commands(lawicel, { bitrate: 125_000, mode: 'listen_only' })).toEqual(['S4', 'L']);
    expect(commands(flexible, { dataBitrate: 5_000_000 })).toEqual(['S6', 'Y5', 'O']);
    expect(commands(flexible, { bus: 'can' })).toEqual(['S6', 'O']);
  });

  it('set other rates by registers of an SJA1000', () => {
    // 8 MHz / (6 · (1 + 13 + 2)) = 83333, sampled at 87.5 %.
    expect(commands(lawicel, { bitrate: 83_333 })).toEqual(['s051C', 'O']);
  });

  it('set other rates by segments of the clock that the firmware tells', () => {
    const [nominal, data] = commands(flexible, { bitrate: 400_000, dataBitrate: 2_500_000 });
    expect(nominal).toMatch(/^s[0-9A-F]{8}$/);
    expect(data).toMatch(/^y[0-9A-F]{8}$/);
    const parts = /^s(..)(..)(..)/.exec(nominal as string)?.slice(1) ?? [];
    const [prescaler = 0, tseg1 = 0, tseg2 = 0] = parts.map((part) => Number.parseInt(part, 16));
    expect(160e6 / (prescaler * (1 + tseg1 + tseg2))).toBe(400_000);
  });

  it('set timings as they were asked for, which the settings show', () => {
    const nominal = { prescaler: 1, tseg1: 13, tseg2: 2, sjw: 1 };
    expect(openedSettings(lawicel, { timing: { nominal } })).toEqual({
      settings: { bus: 'can', mode: 'normal', bitrate: 500_000, timing: { nominal } },
      commands: ['s001C', 'O'],
    });
    const fast = { prescaler: 2, tseg1: 30, tseg2: 9, sjw: 8 };
    const slow = { prescaler: 16, tseg1: 70, tseg2: 9, sjw: 8 };
    expect(commands(flexible, { timing: { nominal: slow, data: fast } })).toEqual([
      's10460908',
      'y021E0908',
      'O',
    ]);
  });

  it.each<[string, SlcanProfile, OpenSettings]>([
    ['bus', lawicel, { bus: 'canfd' }],
    ['bus', lawicel, { bus: 'lin' }],
    ['data_bitrate', lawicel, { dataBitrate: 2_000_000 }],
    ['bitrate', lawicel, { bitrate: 2_000_000 }],
    ['bitrate', silentProfile, { bitrate: 83_333 }],
    // S7 is another rate on such devices.
    ['bitrate', silentProfile, { bitrate: 800_000 }],
    ['mode', silentProfile, { mode: 'listen_only' }],
    ['mode', lawicel, { mode: 'loopback' }],
    [
      'timing',
      silentProfile,
      { timing: { nominal: { prescaler: 1, tseg1: 13, tseg2: 2, sjw: 1 } } },
    ],
    [
      'timing.nominal.tseg1',
      lawicel,
      { timing: { nominal: { prescaler: 1, tseg1: 17, tseg2: 2, sjw: 1 } } },
    ],
    ['termination', lawicel, { termination: true }],
    ['lin', lawicel, { lin: {} }],
  ])('refuse %s where the adapter cannot do it', (field, profile, asked) => {
    expect(refusalOf(() => openedSettings(profile, asked))).toEqual({
      code: 'unsupported_by_hardware',
      field,
    });
  });

  it('are none where a change changes nothing', () => {
    const { settings } = openedSettings(flexible, { dataBitrate: 5_000_000 });
    const same: SettingChange[] = [
      { group: 'bitrate', bitrate: 500_000 },
      { group: 'bitrate', bitrate: 500_000, dataBitrate: 5_000_000 },
      { group: 'mode', mode: 'normal' },
    ];
    for (const change of same) expect(changedSettings(flexible, settings, change)).toBeUndefined();
  });

  it('change one group and leave the others', () => {
    const { settings } = openedSettings(flexible, { dataBitrate: 5_000_000 });
    const change = { group: 'bitrate', bitrate: 250_000 } as const;
    expect(changedSettings(flexible, settings, change)?.commands).toEqual(['S5', 'Y5', 'O']);
    const silence = { group: 'mode', mode: 'listen_only' } as const;
    expect(changedSettings(flexible, settings, silence)?.commands).toEqual(['S6', 'Y5', 'L']);
  });

  it('are offered as far as the adapter can be trusted', () => {
    expect(slcanPort(lawicel).buses).toEqual(['can']);
    expect(slcanPort(flexible)).toMatchObject({
      buses: ['can', 'canfd'],
      capabilities: { settings: ['timing', 'mode', 'bitrate'], clockHz: 160_000_000 },
    });
    expect(slcanPort(silentProfile).capabilities).toMatchObject({
      modes: ['normal'],
      settings: ['bitrate'],
    });
  });
});
