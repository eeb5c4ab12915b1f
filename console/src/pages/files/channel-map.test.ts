import { describe, expect, it } from 'vitest';
import type { Channel, TraceSummary } from '../../api/client.ts';
import {
  addRow,
  type ChannelMap,
  changeRow,
  type FileChannel,
  fileChannels,
  fillMap,
  firstMap,
  mapBody,
  mapProblems,
  type ReplaySettings,
  removeRow,
  rowProblems,
  silentReplay,
} from './channel-map.ts';
import { aChannel, aSummary } from './testing/summaries.ts';

const port = (slot: number, fields: Partial<Channel> = {}): Channel => ({
  slot,
  selector: `SIM00001/${slot}`,
  uid_selector: `sim-0000-0001/${slot}`,
  name: null,
  state: 'open',
  driver: 'virtual',
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  port: slot,
  number: slot + 1,
  bus: 'canfd',
  mode: 'normal',
  bitrate: 500_000,
  data_bitrate: 2_000_000,
  timing: null,
  termination: null,
  pull_up: null,
  power: null,
  lin: null,
  restart_ms: 0,
  opened_at_us: 0,
  databases: [],
  warnings: [],
  clock_bracket_us: null,
  ...fields,
});

const sources = {
  channels: [port(0), port(1, { mode: 'listen_only' }), port(4, { bus: 'lin' })],
  networks: {},
};

const mapOf = (entries: Readonly<Record<string, string>>): ChannelMap =>
  Object.entries(entries).map(([from, to], key) => ({ key, from, to, isTyped: true }));

const file = aSummary({ channels: [aChannel(1), aChannel(2, { bus: 'lin' })] });

const silence = (entries: Readonly<Record<string, string>>, plan: Partial<ReplaySettings> = {}) =>
  silentReplay({ map: mapOf(entries), file, offsetUs: 0, isLooping: false, ...plan }, sources);

describe('a replay that would send nothing', () => {
  it.each([
    [{}, 'choose a bench channel'],
    [{ 1: '' }, 'choose a bench channel'],
    [{ 7: 'SIM00001/0' }, '7 is not in the file (1, 2)'],
    [{ 1: 'SIM00001/1' }, 'SIM00001/1 is listen-only'],
    [{ 1: 'SIM00001/4' }, 'SIM00001/4 is not a CAN channel'],
    [{ 2: 'SIM00001/0' }, 'SIM00001/0 is not a LIN channel'],
    [
      { 7: 'SIM00001/0', 1: 'SIM00001/1' },
      'SIM00001/1 is listen-only; 7 is not in the file (1, 2)',
    ],
  ])('says why for %j', (entries, reason) => {
    expect(silence(entries)).toBe(`Nothing to replay: ${reason}`);
  });

  it('knows a channel by all of its names', () => {
    const both = aSummary({ channels: [aChannel(1), aChannel(1, { bus: 'lin' })] });
    for (const name of ['1', 'C1', 'L1']) {
      const to = name === 'L1' ? 'SIM00001/4' : 'SIM00001/0';
      expect(silence({ [name]: to }, { file: both })).toBeNull();
    }
    expect(silence({ L1: 'SIM00001/0' }, { file: both })).toContain('not a LIN channel');
  });

  it('says that it begins behind the end of the file, unless it goes round', () => {
    const late = { offsetUs: 2_000_001 };
    expect(silence({ 1: 'SIM00001/0' }, late)).toBe(
      'Nothing to replay: 1 ends before the start offset',
    );
    expect(silence({ 1: 'SIM00001/0' }, { ...late, isLooping: true })).toBeNull();
    expect(silence({ 1: 'SIM00001/0' }, { offsetUs: 2_000_000 })).toBeNull();
  });

  it('says that nothing in the file can be sent, also where no channel is mapped', () => {
    for (const entries of [{}, { 1: '' }, { 1: 'SIM00001/0' }]) {
      expect(silence(entries, { file: aSummary({ distinct_ids: 0 }) })).toBe(
        'Nothing to replay: the file is empty',
      );
      const errors = { channels: [aChannel(1)], distinct_ids: 0, error_frames: 500 };
      expect(silence(entries, { file: aSummary(errors) })).toBe(
        'Nothing to replay: the file contains only error frames',
      );
    }
    const partly = aSummary({ channels: [aChannel(1)], distinct_ids: 0, complete: false });
    expect(silence({ 1: 'SIM00001/0' }, { file: partly })).toBeNull();
  });

  it('says that a channel of CAN takes no frames of CAN FD, unless there are others', () => {
    const onto = (bus: Channel['bus'], buses: TraceSummary['buses']) =>
      silentReplay(
        {
          map: mapOf({ 1: 'SIM00001/0' }),
          file: aSummary({ channels: [aChannel(1)], buses }),
          offsetUs: 0,
          isLooping: false,
        },
        { channels: [port(0, { bus })], networks: {} },
      );
    expect(onto('can', { can: 0, canfd: 40, lin: 0 })).toBe(
      'Nothing to replay: SIM00001/0 cannot send CAN FD frames',
    );
    expect(onto('can', { can: 1, canfd: 40, lin: 0 })).toBeNull();
    expect(onto('canfd', { can: 0, canfd: 40, lin: 0 })).toBeNull();
  });

  it('has nothing against a replay that sends something, or may', () => {
    expect(silence({ 1: 'SIM00001/0' })).toBeNull();
    expect(silence({ 1: 'SIM00001/0', 7: 'SIM00001/0' })).toBeNull();
    expect(silence({ 7: 'SIM00001/0' }, { file: null })).toBeNull();
    expect(silence({ 7: 'SIM00001/0' }, { file: { ...file, complete: false } })).toBeNull();
  });
});

const namesOf = (fields: Parameters<typeof aSummary>[0]): string[] =>
  fileChannels(aSummary(fields)).map(({ name }) => name);

describe('the channels of a file', () => {
  it('are named by their numbers, with a letter where CAN and LIN have the same one', () => {
    const channels = [
      aChannel(1),
      aChannel(2),
      aChannel(2, { bus: 'lin' }),
      aChannel(3, { bus: 'lin' }),
    ];
    expect(namesOf({ channels })).toEqual(['1', 'C2', 'L2', '3']);
  });

  it('are named as the interfaces of a candump log', () => {
    const channels = [aChannel(1, { name: 'can0' }), aChannel(2, { name: 'vcan7' })];
    expect(namesOf({ channels, format: 'candump' })).toEqual(['can0', 'vcan7']);
    expect(namesOf({ channels, format: 'blf' })).toEqual(['1', '2']);
  });

  it('have the names that other files give them beside their numbers', () => {
    const channels = [aChannel(1, { name: 'powertrain (SIM00001/1)' }), aChannel(2)];
    const notesOf = (format: 'asc' | 'candump') =>
      fileChannels(aSummary({ channels, format })).map(({ note }) => note);
    expect(notesOf('asc')).toEqual(['powertrain (SIM00001/1)', null]);
    expect(notesOf('candump')).toEqual([null, null]);
  });

  it('tell how far into the file each has events', () => {
    const channels = [aChannel(1), aChannel(2, { first_us: 500_000, last_us: 600_000 })];
    expect(fileChannels(aSummary({ channels })).map(({ endUs }) => endUs)).toEqual([
      2_500_000, 100_000,
    ]);
  });
});

const two: ChannelMap = [
  { key: 1, from: '1', to: 'SIM00001/0', isTyped: true },
  { key: 2, from: 'can0', to: 'powertrain', isTyped: true },
];

const can: FileChannel = {
  name: '1',
  aliases: [],
  note: null,
  bus: 'can',
  events: 20,
  endUs: 1000,
};
const channels: readonly FileChannel[] = [can, { ...can, name: 'L1', bus: 'lin' }];

describe('the channel map', () => {
  it('goes on with the next channel number of the file', () => {
    expect(addRow([])).toEqual([{ key: 1, from: '1', to: '', isTyped: true }]);
    expect(addRow(two, 'body').at(-1)).toEqual({ key: 3, from: '2', to: 'body', isTyped: true });
    expect(addRow([{ key: 9, from: '7', to: '', isTyped: true }]).at(-1)).toMatchObject({
      key: 10,
      from: '8',
    });
  });

  it('changes and removes one row', () => {
    const changed = changeRow(two, 2, { to: 'SIM00001/2' });
    expect(changed.map(({ to }) => to)).toEqual(['SIM00001/0', 'SIM00001/2']);
    expect(removeRow(two, 1)).toEqual([two[1]]);
  });

  it('is sent as an object without blanks around names', () => {
    expect(mapBody(changeRow(two, 1, { from: ' 3 ' }))).toEqual({
      3: 'SIM00001/0',
      can0: 'powertrain',
    });
  });

  it('has nothing against good rows', () => {
    expect(mapProblems(two)).toEqual([]);
  });

  it('refuses rows without a name or a target, and channels that are mapped twice', () => {
    const map: ChannelMap = [
      { key: 1, from: ' ', to: 'a', isTyped: true },
      { key: 2, from: '1', to: '', isTyped: true },
      { key: 3, from: '2', to: 'a', isTyped: true },
      { key: 4, from: '2 ', to: 'b', isTyped: true },
    ];
    expect([...rowProblems(map)]).toEqual([
      [1, 'Enter a file channel'],
      [2, 'Choose a bench channel'],
      [4, '2 is mapped twice'],
    ]);
    expect(mapProblems(map).every(({ field }) => field === 'channels')).toBe(true);
  });

  it('is filled in from the channels of a file, which are not sent until the user says where', () => {
    const map = fillMap(firstMap, channels);
    expect(map.map(({ from, to }) => [from, to])).toEqual([
      ['1', ''],
      ['L1', ''],
    ]);
    expect(mapProblems(map)).toEqual([]);
    expect(mapBody(map)).toEqual({});
    expect(mapBody(changeRow(map, map[1]?.key ?? 0, { to: 'body' }))).toEqual({ L1: 'body' });
  });

  it('keeps what was typed when another file is named, and nothing else', () => {
    const typed = changeRow(fillMap(firstMap, [{ ...can, name: '7' }, can]), 3, { to: 'body' });
    const map = fillMap(addRow(typed, 'SIM00001/2'), channels);
    expect(map.map(({ from, to }) => [from, to])).toEqual([
      ['1', 'body'],
      ['L1', ''],
      ['8', 'SIM00001/2'],
    ]);
    expect(new Set(map.map(({ key }) => key)).size).toBe(3);
    const untouched = changeRow(typed, 3, { to: '' });
    expect(mapProblems(untouched)).toEqual([]);
    expect(fillMap(untouched, []).length).toBe(0);
  });
});
