import { describe, expect, it } from 'vitest';
import {
  addRow,
  type ChannelMap,
  changeRow,
  fillMap,
  firstMap,
  mapBody,
  mapProblems,
  removeRow,
  rowProblems,
} from './channel-map.ts';
import type { FileChannel } from './trace-channels.ts';

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
      [1, 'Name a channel of the file'],
      [2, 'Choose where to send it'],
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
