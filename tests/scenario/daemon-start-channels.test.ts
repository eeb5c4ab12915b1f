import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { eventually, setUpWorkbench } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { sampleBench, writeBench } from './support/bench-files.ts';
import type { ChannelView } from './support/channel-bench.ts';
import { daemonsOf } from './support/processes.ts';

const settings = [
  '--channel=SIM00001/0',
  '--channel=sim-0000-0001/1,name=gearbox,bitrate=250k,data-bitrate=1M,termination=false,restart_ms=100',
  '--channel=SIM00001/4,lin.role=master,lin.version=1.3,pull_up=false',
];

const opened = [
  { slot: 0, selector: 'SIM00001/0', name: null, bitrate: 500_000 },
  {
    slot: 1,
    selector: 'SIM00001/1',
    name: 'gearbox',
    bitrate: 250_000,
    data_bitrate: 1_000_000,
    termination: false,
    restart_ms: 100,
  },
  {
    slot: 2,
    selector: 'SIM00001/4',
    pull_up: false,
    lin: { role: 'master', version: '1.3', checksum: 'classic' },
  },
];

type Refusal = [args: string[], exit: number, code: string, details: object];

/** Channels that prevent a daemon from starting. */
const refusals: Refusal[] = [
  [['--channel=SIM00001/x'], 2, 'invalid_channel_selector', { channel: 'SIM00001/x' }],
  [['--channel=SIM00001/9'], 1, 'channel_not_found', { channel: 'SIM00001/9' }],
  [['--channel=nobody'], 1, 'channel_not_found', { channel: 'nobody' }],
  [['--channel=0'], 1, 'channel_not_found', { channel: '0' }],
  [['--channel=SIM00001/0', '--channel=SIM00001/0'], 1, 'already_exists', { slot: 0 }],
  [['--channel=SIM00001/0,bus=lin'], 1, 'unsupported_by_hardware', { setting: 'bus' }],
  [['--channel=SIM00001/0,name=7'], 2, 'invalid_argument', { field: 'name' }],
  [['--channel=SIM00001/0,colour=red'], 2, 'invalid_argument', { field: 'channel.colour' }],
  [['--channel=SIM00001/0,bitrate=1.5'], 2, 'invalid_argument', { field: 'channel.bitrate' }],
  [['--channel=SIM00001/0,bitrate=fast'], 2, 'invalid_argument', { field: 'channel.bitrate' }],
  [['--channel=SIM00001/4,restart_ms=9'], 1, 'unsupported_by_hardware', { field: 'restart_ms' }],
  [['--channel=SIM00001/0,restart-ms=-1'], 2, 'invalid_argument', { field: 'channel.restart_ms' }],
  [['--channel=SIM00001/0,bitrate'], 2, 'invalid_argument', { field: 'channel.bitrate' }],
  [['--channel=SIM00001/0,'], 2, 'invalid_argument', { field: 'channel' }],
  [['--channel='], 2, 'invalid_argument', { field: 'channel' }],
];

describe('a daemon that is started with channels', () => {
  it('has them open, in the order given, once the command is done', async () => {
    const bench = setUpWorkbench();
    expect(await bench.json('daemon', 'start', ...settings)).toMatchObject({ state: 'running' });
    const { channels } = await bench.json<{ channels: ChannelView[] }>('channel', 'list');
    expect(channels).toHaveLength(3);
    expect(channels).toMatchObject(opened);
  });

  itLong('has them open in the foreground too', async () => {
    const bench = setUpWorkbench();
    runInBackground(bench, 'daemon', 'start', '--foreground', ...settings);
    await eventually(async () => {
      const { code, stdout } = await bench.run(['channel', 'list', '--format=json']);
      return code === 0 && JSON.parse(stdout).channels.length === 3;
    });
    const { channels } = await bench.json<{ channels: ChannelView[] }>('channel', 'list');
    expect(channels).toMatchObject(opened);
  });

  it('takes the names and networks of the bench in its directory', async () => {
    const bench = setUpWorkbench();
    writeBench(bench.project, sampleBench);
    await bench.json(
      'daemon',
      'start',
      '--channel=powertrain,mode=listen_only',
      '--channel=engine',
    );
    const { channels } = await bench.json<{ channels: ChannelView[] }>('channel', 'list');
    expect(channels).toMatchObject([
      { selector: 'SIM00001/0', mode: 'listen_only' },
      { selector: 'SIM00001/2', name: 'engine' },
    ]);
  });

  const leavesNothing = async (...[args, exit, code, details]: Refusal): Promise<void> => {
    const bench = setUpWorkbench();
    expect(await bench.failure('daemon', 'start', ...args)).toMatchObject({
      exit,
      code,
      details,
    });
    expect(daemonsOf(bench.home)).toEqual([]);
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'stopped' });
  };

  const title = 'is not left behind where one is refused: %j';
  it.each(refusals.slice(0, 3))(title, leavesNothing);
  itLong.each(refusals.slice(3))(title, leavesNothing);

  it('is not left behind in the foreground either', async () => {
    const bench = setUpWorkbench();
    for (const [channel, exit, code] of [
      ['SIM00001/9', 1, 'channel_not_found'],
      ['SIM00001/0,colour=red', 2, 'invalid_argument'],
    ] as const) {
      const command = runInBackground(
        bench,
        'daemon',
        'start',
        '--foreground',
        '--format=json',
        '--channel=SIM00001/1',
        `--channel=${channel}`,
      );
      expect(await command.ended).toEqual({ code: exit, signal: null });
      expect(command.stderr).toContain(`"code": "${code}"`);
      expect(daemonsOf(bench.home)).toEqual([]);
    }
    await bench.json('daemon', 'start', '--channel=SIM00001/1');
  });

  it('is left alone, and its channels too, where one runs already', async () => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start', '--channel=SIM00001/0');
    for (const more of [[], ['--foreground']]) {
      const refused = await bench.failure('daemon', 'start', '--channel=SIM00001/1', ...more);
      expect(refused).toMatchObject({ exit: 1, code: 'already_running' });
    }
    const { channels } = await bench.json<{ channels: ChannelView[] }>('channel', 'list');
    expect(channels).toMatchObject([{ selector: 'SIM00001/0' }]);
  });
});
