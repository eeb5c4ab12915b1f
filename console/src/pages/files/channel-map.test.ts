import { describe, expect, it } from 'vitest';
import {
  addRow,
  type ChannelMap,
  changeRow,
  mapBody,
  mapProblems,
  removeRow,
  rowProblems,
} from './channel-map.ts';

const two: ChannelMap = [
  { key: 1, from: '1', to: 'SIM00001/0' },
  { key: 2, from: 'can0', to: 'powertrain' },
];

describe('the channel map', () => {
  it('goes on with the next channel number of the file', () => {
    expect(addRow([])).toEqual([{ key: 1, from: '1', to: '' }]);
    expect(addRow(two, 'body').at(-1)).toEqual({ key: 3, from: '2', to: 'body' });
    expect(addRow([{ key: 9, from: '7', to: '' }]).at(-1)).toMatchObject({ key: 10, from: '8' });
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
      { key: 1, from: ' ', to: 'a' },
      { key: 2, from: '1', to: '' },
      { key: 3, from: '2', to: 'a' },
      { key: 4, from: '2 ', to: 'b' },
    ];
    expect([...rowProblems(map)]).toEqual([
      [1, 'Name a channel of the file'],
      [2, 'Choose where to send it'],
      [4, '2 is mapped twice'],
    ]);
    expect(mapProblems(map).every(({ field }) => field === 'channels')).toBe(true);
  });
});
