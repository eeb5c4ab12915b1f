import { describe, expect, it } from 'vitest';
import { openSettings } from './open-settings.ts';

const nominal = { prescaler: 1, tseg1: 2, tseg2: 2, sjw: 1 };

describe('openSettings', () => {
  it('asks for nothing where nothing was said', () => {
    expect(Object.keys(openSettings({ bus: undefined, lin: undefined }))).toEqual([]);
    expect(Object.keys(openSettings({ lin: { role: undefined } }).lin ?? { no: 1 })).toEqual([]);
  });

  it('hands on every field in the words of the drivers', () => {
    expect(
      openSettings({
        bus: 'canfd',
        mode: 'loopback',
        bitrate: 1,
        data_bitrate: 2,
        timing: { nominal, data: nominal },
        termination: false,
        pull_up: false,
        power: true,
        lin: { role: 'slave', version: '2.1', checksum: 'classic' },
      }),
    ).toEqual({
      bus: 'canfd',
      mode: 'loopback',
      bitrate: 1,
      dataBitrate: 2,
      timing: { nominal, data: nominal },
      termination: false,
      pullUp: false,
      power: true,
      lin: { role: 'slave', version: '2.1', checksum: 'classic' },
    });
  });

  it('keeps a timing without a data phase without one', () => {
    const { timing = {} } = openSettings({ timing: { nominal, data: undefined } });
    expect(Object.keys(timing)).toEqual(['nominal']);
  });

  it('does not hand on fields that are not settings', () => {
    const request = { channel: 'SIM00001/0', name: 'engine', mode: 'normal' as const };
    expect(openSettings(request)).toEqual({ mode: 'normal' });
  });

  it('refuses the enhanced checksum with LIN 1.3, which has the classic one only', () => {
    expect(openSettings({ lin: { version: '1.3', checksum: 'classic' } }).lin).toEqual({
      version: '1.3',
      checksum: 'classic',
    });
    expect(() => openSettings({ lin: { version: '1.3', checksum: 'enhanced' } })).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: { field: 'lin.checksum', reason: 'lin_version', version: '1.3' },
      }),
    );
  });
});
