import { describe, expect, it } from 'vitest';
import {
  api,
  type Refused,
  refusedByCli,
  refusedOverHttp,
  shareChannelBench,
} from './support/channel-bench.ts';

const bench = shareChannelBench();

const open = async (request: unknown): Promise<Refused> =>
  refusedOverHttp(await bench.post(`${api}/channels`, request));

const timing = (more: object) => ({
  nominal: { prescaler: 1, tseg1: 139, tseg2: 20, sjw: 20, ...more },
});

/** Requests that are invalid for any port, and the wrong field. */
const wrong: [request: object, field: string][] = [
  [{ channel: 7 }, 'channel'],
  [{ channel: null }, 'channel'],
  [{ channel: '' }, 'channel'],
  [{ channel: 'x'.repeat(201) }, 'channel'],
  [{ colour: 'red' }, 'colour'],
  [{ bus: 'flexray' }, 'bus'],
  [{ bus: null }, 'bus'],
  [{ mode: 'silent' }, 'mode'],
  [{ mode: ['normal'] }, 'mode'],
  [{ bitrate: '500000' }, 'bitrate'],
  [{ bitrate: 0 }, 'bitrate'],
  [{ bitrate: 1_000_001 }, 'bitrate'],
  [{ bitrate: 500_000.5 }, 'bitrate'],
  [{ data_bitrate: 20_000_001 }, 'data_bitrate'],
  [{ data_bitrate: true }, 'data_bitrate'],
  [{ termination: 'yes' }, 'termination'],
  [{ termination: 1 }, 'termination'],
  [{ pull_up: 'no' }, 'pull_up'],
  [{ power: 0 }, 'power'],
  [{ name: '' }, 'name'],
  [{ name: 5 }, 'name'],
  [{ name: '12' }, 'name'],
  [{ name: 'a/b' }, 'name'],
  [{ name: 'a b' }, 'name'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ timing: {} }, 'timing.nominal'],
  [{ timing: 7 }, 'timing'],
  [{ timing: { ...timing({}), slow: 1 } }, 'timing.slow'],
  [{ timing: timing({ prescaler: 0 }) }, 'timing.nominal.prescaler'],
  [{ timing: timing({ tseg1: 257 }) }, 'timing.nominal.tseg1'],
  [{ timing: timing({ tseg2: 'x' }) }, 'timing.nominal.tseg2'],
  [{ timing: timing({ phase: 1 }) }, 'timing.nominal.phase'],
  [{ timing: { ...timing({}), data: { prescaler: 1 } } }, 'timing.data.tseg1'],
  [{ lin: 'master' }, 'lin'],
  [{ lin: { role: 'boss' } }, 'lin.role'],
  [{ lin: { version: '3.0' } }, 'lin.version'],
  [{ lin: { version: 2.1 } }, 'lin.version'],
  [{ lin: { checksum: 'crc' } }, 'lin.checksum'],
  [{ lin: { baud: 9600 } }, 'lin.baud'],
];

/** Settings that a port does not support: the request, and the field. */
const unsupported: [request: object, setting: string][] = [
  [{ channel: 'SIM00001/0', bus: 'lin' }, 'bus'],
  [{ channel: 'SIM00001/4', bus: 'can' }, 'bus'],
  [{ channel: 'SIM00001/4', mode: 'loopback' }, 'mode'],
  [{ channel: 'SIM00001/0', bitrate: 9999 }, 'bitrate'],
  [{ channel: 'SIM00001/4', bitrate: 20_001 }, 'bitrate'],
  [{ channel: 'SIM00001/0', data_bitrate: 8_000_001 }, 'data_bitrate'],
  [{ channel: 'SIM00001/0', bus: 'can', data_bitrate: 2_000_000 }, 'data_bitrate'],
  [{ channel: 'SIM00001/4', data_bitrate: 2_000_000 }, 'data_bitrate'],
  [{ channel: 'SIM00001/4', timing: timing({}) }, 'timing'],
  [{ channel: 'SIM00001/4', termination: true }, 'termination'],
  [{ channel: 'SIM00001/0', pull_up: true }, 'pull_up'],
  [{ channel: 'SIM00001/0', power: true }, 'power'],
  [{ channel: 'SIM00001/0', lin: { role: 'master' } }, 'lin'],
];

describe('a request to open a channel', () => {
  it.each(wrong)('is refused with the field at fault: %j', async (request, field) => {
    const refused = await open({ channel: 'SIM00001/0', ...request });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_argument', details: { field } });
  });

  it('is refused without a channel', async () => {
    expect(await open({})).toMatchObject({ status: 400, details: { field: 'channel' } });
  });

  it.each(unsupported)('is refused where the port cannot do it: %j', async (request, setting) => {
    expect(await open(request)).toMatchObject({
      status: 422,
      code: 'unsupported_by_hardware',
      details: { setting },
    });
  });

  it('is refused on the command line with the option at fault', async () => {
    const options: [option: string, field: string][] = [
      ['--bitrate=fast', 'bitrate'],
      ['--bitrate=1000001', 'bitrate'],
      ['--mode=silent', 'mode'],
      ['--termination=yes', 'termination'],
      ['--timing=nominal.prescaler=1', 'timing.nominal.tseg1'],
      ['--lin=role=boss', 'lin.role'],
      ['--lin=baud=9600', 'lin.baud'],
      ['--name=a/b', 'name'],
      ['--colour=red', '--colour'],
    ];
    for (const [option, field] of options) {
      const { exit, code, details } = refusedByCli(
        await bench.failure('channel', 'open', 'SIM00001/0', option),
      );
      expect({ option, exit, code, field: details.field }).toEqual({
        option,
        exit: 2,
        code: 'invalid_argument',
        field,
      });
    }
  });

  it('that was refused has opened nothing', async () => {
    expect((await bench.get(`${api}/channels`)).json()).toEqual({ channels: [] });
  });
});
