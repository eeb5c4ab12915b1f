import { describe, expect, it } from 'vitest';
import { Dispatcher } from '../../operations/dispatcher.ts';
import { replayStart, replayStatus, replayStop } from '../../operations/replay.ts';
import { ReplayRig, steadyTrace } from '../../transmit/replay/testing/replay-rig.ts';
import { bindReplayOperations } from './bench-operations.ts';

const caller = { face: 'cli', project: null } as const;

const replays = async () => {
  const other = { atUs: 50_000, id: 1, channel: 2 };
  const rig = new ReplayRig([...steadyTrace(50, 1000), other]);
  const channel = await rig.openPair(0);
  const dispatcher = new Dispatcher([replayStart, replayStatus, replayStop]);
  const found: string[] = [];
  const use = async (text: string) => {
    found.push(text);
    return rig.found(channel);
  };
  bindReplayOperations(dispatcher, {
    replay: rig.service,
    channels: { use } as never,
    benchOf: () => async () => {
      throw new TypeError('No bench');
    },
  });
  const call = (id: string, input: object = {}) => dispatcher.invoke(id, input, caller);
  return { call, found, rig };
};

describe('the operations of replays', () => {
  it('start, show and stop one', async () => {
    const { call, found, rig } = await replays();
    expect(await call('replay.status')).toMatchObject({ state: 'idle' });
    const started = await call('replay.start', { file: 'a.asc', channels: { 1: 'x', 2: 'y' } });
    expect(started).toMatchObject({
      state: 'running',
      file: 'a.asc',
      channels: { 1: 'x', 2: 'y' },
      speed: 1,
      loop: false,
      start_offset_us: 0,
    });
    expect(found).toEqual(['x', 'y']);
    await rig.pass(5500);
    expect(await call('replay.status')).toMatchObject({ state: 'running', frames_sent: 6 });
    expect(await call('replay.stop')).toMatchObject({ state: 'finished', stopped: true });
  });

  it('take the mappings of a command line, whose selectors may contain =', async () => {
    const { call } = await replays();
    const record = await call('replay.start', { file: 'a.asc', map: ['1=SIM00001/0', '2=a=b'] });
    expect(record).toMatchObject({ channels: { 1: 'SIM00001/0', 2: 'a=b' } });
  });

  it.each<[field: string, input: object]>([
    ['channels', {}],
    ['channels', { channels: {} }],
    ['channels.1', { channels: { 1: '' } }],
    ['map', { map: ['1=a'], channels: { 1: 'a' } }],
    ['map', { map: ['1=a', '1=b'] }],
    ['map[0]', { map: ['1'] }],
    ['speed', { channels: { 1: 'a' }, speed: 0 }],
    ['speed', { channels: { 1: 'a' }, speed: 1000.5 }],
    ['start_offset_us', { channels: { 1: 'a' }, start_offset_us: -1 }],
    ['files', { channels: { 1: 'a' }, files: ['b.asc'] }],
    ['repeat.count', { channels: { 1: 'a' }, repeat: {} }],
    ['repeat.count', { channels: { 1: 'a' }, repeat: { count: 0 } }],
    ['repeat', { channels: { 1: 'a' }, repeat: { count: 2 }, loop: true }],
    ['ids', { channels: { 1: 'a' }, ids: { 123: '0124' } }],
  ])('refuse a wrong %s: %j', async (field, input) => {
    const { call } = await replays();
    await expect(call('replay.start', { file: 'a.asc', ...input })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field },
    });
    expect(await call('replay.status')).toMatchObject({ state: 'idle' });
  });
});
