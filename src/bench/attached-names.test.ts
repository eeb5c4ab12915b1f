import { describe, expect, it } from 'vitest';
import type { ChannelSettings } from '../drivers/channel-settings.ts';
import { AttachedNames } from './attached-names.ts';

const settings = (bitrate: number, version: '2.1' | '2.2'): ChannelSettings => ({
  bus: 'lin',
  mode: 'normal',
  bitrate,
  lin: { role: 'master', version, checksum: 'enhanced' },
});

const doors = (bitRate: number | null, version: '2.1' | null) =>
  ({ name: 'doors', bus: 'lin', lin: { bitRate, version } }) as const;

const codes = (names: AttachedNames, current: ChannelSettings) =>
  names.warningsFor(current).map(({ code }) => code);

describe('databases of a LIN channel', () => {
  it('warn while bit rate or version differ from the settings of the moment', () => {
    const names = new AttachedNames('SIM00001/4', 'lin');
    names.attach(doors(9600, '2.1'));
    expect(names.warningsFor(settings(19_200, '2.2'))).toEqual([
      {
        code: 'lin_bitrate_differs',
        message: 'doors is for 9600 bit/s, but the channel has 19200 bit/s',
      },
      {
        code: 'lin_version_differs',
        message: 'doors is for LIN 2.1, but the channel has LIN 2.2',
      },
    ]);
    expect(codes(names, settings(9600, '2.2'))).toEqual(['lin_version_differs']);
    expect(codes(names, settings(9600, '2.1'))).toEqual([]);
  });

  it('do not warn about what the file does not say', () => {
    const names = new AttachedNames('SIM00001/4', 'lin');
    names.attach(doors(null, null));
    expect(codes(names, settings(19_200, '2.2'))).toEqual([]);
  });

  it('warn by the new content after a reload, and no more once detached', () => {
    const names = new AttachedNames('SIM00001/4', 'lin');
    names.restore({
      databases: [doors(19_200, '2.1')],
      warnings: [{ code: 'database_not_attached', message: 'x.ldf' }],
    });
    const current = settings(19_200, '2.1');
    expect(codes(names, current)).toEqual(['database_not_attached']);
    names.describe(doors(9600, '2.1'));
    expect(codes(names, current)).toEqual(['database_not_attached', 'lin_bitrate_differs']);
    names.detach('doors');
    names.describe(doors(9600, '2.1'));
    expect(codes(names, current)).toEqual(['database_not_attached']);
  });
});
