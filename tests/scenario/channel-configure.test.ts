import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import {
  borrowChannelBench,
  refusedByCli,
  refusedOverHttp,
  setUpChannelBench,
  shareChannelBench,
} from './support/channel-bench.ts';

const nominal = { prescaler: 2, tseg1: 31, tseg2: 8, sjw: 4 };
const data = { prescaler: 1, tseg1: 14, tseg2: 5, sjw: 5 };

/** A change of each group that the port supports, and the resulting record. */
const canChanges: [change: object, shown: object][] = [
  [{ timing: { nominal, data } }, { timing: { nominal, data }, bitrate: 1e6, data_bitrate: 4e6 }],
  [{ mode: 'listen_only' }, { mode: 'listen_only' }],
  [{ mode: 'normal' }, { mode: 'normal' }],
  [{ termination: false }, { termination: false }],
  [{ bitrate: 250_000 }, { bitrate: 250_000, data_bitrate: 4_000_000 }],
  [{ data_bitrate: 1_000_000 }, { bitrate: 250_000, data_bitrate: 1_000_000 }],
  [
    { bitrate: 500_000, data_bitrate: 2e6 },
    { bitrate: 500_000, data_bitrate: 2_000_000 },
  ],
];

const linChanges: [change: object, shown: object][] = [
  [{ lin: { version: '1.3' } }, { lin: { role: 'master', version: '1.3', checksum: 'classic' } }],
  [
    { lin: { version: '2.0', checksum: 'classic' } },
    { lin: { role: 'master', version: '2.0', checksum: 'classic' } },
  ],
  [
    { lin: { checksum: 'enhanced' } },
    { lin: { role: 'master', version: '2.0', checksum: 'enhanced' } },
  ],
  [{ mode: 'listen_only' }, { mode: 'listen_only' }],
  [{ pull_up: false }, { pull_up: false }],
  [{ bitrate: 9600 }, { bitrate: 9600 }],
  [{ power: false }, { power: false }],
];

describe('a change of an open channel', () => {
  it('is made to one group at a time, and making it again changes nothing', async () => {
    const bench = await borrowChannelBench();
    await bench.open('SIM00001/0', { name: 'engine' });
    await bench.open('SIM00001/4', { name: 'door' });
    for (const [selector, changes] of [
      ['engine', canChanges],
      ['door', linChanges],
    ] as const) {
      for (const [change, shown] of changes) {
        const before = await bench.show(selector);
        const changed = await bench.change(selector, change);
        expect(changed).toMatchObject(shown);
        expect(await bench.change(selector, change)).toEqual(changed);
        expect(await bench.show(selector)).toEqual(changed);
        const { slot, opened_at_us, state } = before;
        expect(changed).toMatchObject({ slot, opened_at_us, state });
      }
    }
  });

  it('is made on the command line with the same groups', async () => {
    const bench = await setUpChannelBench();
    await bench.open('SIM00001/0');
    await bench.open('SIM00001/4');
    const changes: [args: string[], shown: object][] = [
      [
        ['SIM00001/0', '--bitrate=250k', '--data-bitrate=2.5M'],
        { bitrate: 250_000, data_bitrate: 2_500_000 },
      ],
      [['sim-0000-0001/0', '--mode=loopback'], { mode: 'loopback' }],
      [['0', '--termination=false'], { termination: false }],
      [['0', `--timing=${JSON.stringify({ nominal, data })}`], { timing: { nominal, data } }],
      [['1', '--lin=version=1.3'], { lin: { version: '1.3', checksum: 'classic' } }],
      [['1', '--pull-up=false'], { pull_up: false }],
      [['1', '--power=false'], { power: false }],
    ];
    for (const [args, shown] of changes) {
      expect(await bench.json('channel', 'configure', ...args)).toMatchObject(shown);
    }
  });

  it('takes effect on the bus', async () => {
    const bench = await borrowChannelBench();
    const channel = 'SIM00001/0';
    await bench.open(channel);
    await bench.change(channel, { mode: 'loopback' });
    await bench.send({ channel, id: 5, data: '01' });
    await eventually(async () => (await bench.stats(channel)).rx_frames === 1);
    expect(await bench.stats(channel)).toMatchObject({ tx_frames: 1 });
    await bench.change(channel, { mode: 'listen_only' });
    expect(refusedOverHttp(await bench.send({ channel, id: 5 }))).toMatchObject({
      status: 409,
      code: 'channel_cannot_send',
      details: { channel, reason: 'listen_only' },
    });
  });
});

describe('a change that cannot be made', () => {
  const bench = shareChannelBench(async (own) => {
    await own.open('SIM00001/0');
    await own.open('SIM00001/4');
    await own.open('SIM00001/2', { bus: 'can' });
  }, null);

  const groupings: [change: object, groups: string[]][] = [
    [{}, []],
    [{ mode: 'normal', termination: true }, ['mode', 'termination']],
    [{ timing: { nominal }, bitrate: 500_000 }, ['timing', 'bitrate']],
    [{ timing: { nominal }, data_bitrate: 2_000_000 }, ['timing', 'bitrate']],
    [{ lin: { version: '2.0' }, power: true }, ['lin', 'power']],
    [
      {
        timing: { nominal },
        lin: { version: '2.0' },
        mode: 'normal',
        termination: true,
        pull_up: true,
        bitrate: 1,
        data_bitrate: 1,
        power: true,
      },
      ['timing', 'lin', 'mode', 'termination', 'pull_up', 'bitrate', 'power'],
    ],
  ];

  it.each(groupings)('names the groups that it found: %j', async (change, groups) => {
    const refused = refusedOverHttp(await bench.patch('0', change));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_argument', details: { groups } });
  });

  const fields: [change: object, field: string][] = [
    [{ mode: 'silent' }, 'mode'],
    [{ bitrate: '500000' }, 'bitrate'],
    [{ bitrate: 0 }, 'bitrate'],
    [{ data_bitrate: 20_000_001 }, 'data_bitrate'],
    [{ termination: null }, 'termination'],
    [{ pull_up: 1 }, 'pull_up'],
    [{ power: 'on' }, 'power'],
    [{ lin: {} }, 'lin'],
    [{ lin: { version: '9' } }, 'lin.version'],
    [{ lin: { role: 'slave' } }, 'lin.role'],
    [{ timing: { data } }, 'timing.nominal'],
    [{ timing: { nominal: { ...nominal, sjw: 0 } } }, 'timing.nominal.sjw'],
    [{ name: 'engine' }, 'name'],
    [{ bus: 'can' }, 'bus'],
    [{ channel: 'SIM00001/1', mode: 'normal' }, 'channel'],
    [{ selector: 'SIM00001/1', mode: 'normal' }, 'selector'],
    [{ mode: 'normal', colour: 'red' }, 'colour'],
  ];

  it.each(fields)('names the field at fault: %j', async (change, field) => {
    const refused = refusedOverHttp(await bench.patch('0', change));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_argument', details: { field } });
  });

  const unsupported: [selector: string, change: object, setting: string][] = [
    ['SIM00001/0', { lin: { version: '2.0' } }, 'lin'],
    ['SIM00001/0', { pull_up: true }, 'pull_up'],
    ['SIM00001/0', { power: true }, 'power'],
    ['SIM00001/0', { bitrate: 9999 }, 'bitrate'],
    ['SIM00001/0', { data_bitrate: 8_000_001 }, 'data_bitrate'],
    ['SIM00001/2', { data_bitrate: 2_000_000 }, 'data_bitrate'],
    ['SIM00001/2', { timing: { nominal, data } }, 'timing.data'],
    ['SIM00001/4', { timing: { nominal } }, 'timing'],
    ['SIM00001/4', { termination: true }, 'termination'],
    ['SIM00001/4', { mode: 'loopback' }, 'mode'],
    ['SIM00001/4', { bitrate: 500_000 }, 'bitrate'],
    ['SIM00001/4', { bitrate: 9600, data_bitrate: 2_000_000 }, 'data_bitrate'],
  ];

  it.each(unsupported)('is beyond the hardware: %s %j', async (selector, change, setting) => {
    const before = await bench.show(selector);
    expect(refusedOverHttp(await bench.patch(selector, change))).toMatchObject({
      status: 422,
      code: 'unsupported_by_hardware',
      details: { setting },
    });
    expect(await bench.show(selector)).toEqual(before);
  });

  it('ends a command with the right exit code', async () => {
    const commands: [args: string[], exit: number, code: string, details: object][] = [
      [[], 2, 'invalid_argument', { groups: [] }],
      [['--mode=normal', '--bitrate=1'], 2, 'invalid_argument', { groups: ['mode', 'bitrate'] }],
      [['--mode=silent'], 2, 'invalid_argument', { field: 'mode' }],
      [['--power'], 1, 'unsupported_by_hardware', { setting: 'power' }],
    ];
    for (const [args, exit, code, details] of commands) {
      const refused = refusedByCli(await bench.failure('channel', 'configure', '0', ...args));
      expect(refused).toMatchObject({ exit, code, details });
    }
  });
});
