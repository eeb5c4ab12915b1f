import { describe, expect, it } from 'vitest';
import type { LinVersion } from '../frame/lin.ts';
import { type ChangeRequest, settingChange } from './change-groups.ts';

const nominal = { prescaler: 1, tseg1: 2, tseg2: 2, sjw: 1 };
const current = { bitrate: 500_000 };

describe('settingChange', () => {
  it.each<[ChangeRequest, object]>([
    [{ timing: { nominal } }, { group: 'timing', nominal }],
    [{ timing: { nominal, data: nominal } }, { group: 'timing', nominal, data: nominal }],
    [{ lin: { version: '2.0' } }, { group: 'lin', version: '2.0' }],
    [{ lin: { checksum: 'classic' } }, { group: 'lin', checksum: 'classic' }],
    [
      { lin: { version: '1.3', checksum: 'classic' } },
      { group: 'lin', version: '1.3', checksum: 'classic' },
    ],
    [{ mode: 'listen_only' }, { group: 'mode', mode: 'listen_only' }],
    [{ termination: false }, { group: 'termination', termination: false }],
    [{ pull_up: false }, { group: 'pull_up', pullUp: false }],
    [{ power: false }, { group: 'power', power: false }],
    [{ bitrate: 250_000 }, { group: 'bitrate', bitrate: 250_000 }],
    [
      { bitrate: 250_000, data_bitrate: 1_000_000 },
      { group: 'bitrate', bitrate: 250_000, dataBitrate: 1_000_000 },
    ],
    [{ data_bitrate: 1_000_000 }, { group: 'bitrate', bitrate: 500_000, dataBitrate: 1_000_000 }],
    [
      { mode: 'normal', power: undefined },
      { group: 'mode', mode: 'normal' },
    ],
  ])('makes one change of %j', (request, change) => {
    expect(settingChange(request, current)).toStrictEqual(change);
  });

  it.each<[ChangeRequest, string, string[]]>([
    [{}, '', []],
    [{ mode: undefined }, '', []],
    [{ power: true, mode: 'normal' }, 'mode', ['mode', 'power']],
    [{ data_bitrate: 1, termination: false }, 'termination', ['termination', 'bitrate']],
    [{ lin: {}, pull_up: false }, 'lin', ['lin', 'pull_up']],
    [{ timing: { nominal }, bitrate: 1, data_bitrate: 2 }, 'timing', ['timing', 'bitrate']],
  ])('refuses %j and names the groups that it found', (request, field, groups) => {
    expect(() => settingChange(request, current)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', details: { field, groups } }),
    );
  });

  it.each<[ChangeRequest['lin'], LinVersion]>([
    [{ version: '1.3', checksum: 'enhanced' }, '2.2'],
    [{ checksum: 'enhanced' }, '1.3'],
  ])('refuses %j on LIN %s, which is or becomes 1.3 with the enhanced checksum', (lin, version) => {
    const settings = { ...current, lin: { role: 'master', version, checksum: 'classic' } } as const;
    expect(() => settingChange({ lin }, settings)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: { field: 'lin.checksum', reason: 'lin_version', version: '1.3' },
      }),
    );
  });

  it('takes the enhanced checksum together with a version that has it', () => {
    const settings = {
      ...current,
      lin: { role: 'master', version: '1.3', checksum: 'classic' },
    } as const;
    const lin = { version: '2.0', checksum: 'enhanced' } as const;
    expect(settingChange({ lin }, settings)).toStrictEqual({ group: 'lin', ...lin });
  });

  it('refuses a lin group that changes nothing', () => {
    expect(() => settingChange({ lin: {} }, current)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: { field: 'lin', groups: ['lin'] },
      }),
    );
  });
});
