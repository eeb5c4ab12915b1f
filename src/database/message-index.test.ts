import { describe, expect, it } from 'vitest';
import { readText } from './dbc/testing/read-text.ts';
import { MessageIndex } from './message-index.ts';

const { database } = readText(
  'BO_ 5 Standard: 8 A\nBO_ 2147483653 Extended: 8 A\nBO_ 6 Old: 8 A\nBO_ 6 New: 4 A\nBO_ 7 New: 2 A',
);
const index = new MessageIndex(database);

describe('a message', () => {
  it('is found by identifier, standard and extended apart', () => {
    expect(index.byId(5, false)?.name).toBe('Standard');
    expect(index.byId(5, true)?.name).toBe('Extended');
    expect(index.byId(6, true)).toBeUndefined();
  });

  it('is found by name', () => {
    expect(index.byName('Extended')?.id).toBe(5);
    expect(index.byName('toString')).toBeUndefined();
  });

  it('is the first one of those that share an identifier or a name', () => {
    expect(index.byId(6, false)?.name).toBe('Old');
    expect(index.byName('New')?.id).toBe(6);
    expect(index.byName('New#2')?.id).toBe(7);
  });
});

describe('a message that is a J1939 parameter group', () => {
  const id = (text: string): number => Number.parseInt(text, 16);
  const marked = (text: string): number => id(text) + 0x8000_0000;
  const groups = readText(
    `BO_ ${marked('18FEF1FE')} Speed: 8 A
BO_ ${marked('0CFEF103')} SpeedOfGearbox: 8 A
BO_ ${marked('18EA00FE')} Request: 3 A
BO_ ${marked('18EA0003')} RequestOfGearbox: 3 A
BO_ ${marked('18FEF207')} Plain: 8 A
BO_ ${marked('18FEF2FE')} Fuel: 8 A
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
BA_ "VFrameFormat" BO_ ${marked('18FEF207')} 1;`,
  ).database;
  const byGroup = new MessageIndex(groups);

  it.each([
    ['0CFEF100', 'Speed', 'another priority and source'],
    ['18FEF103', 'SpeedOfGearbox', 'the addresses of a later one, with another priority'],
    ['18EAFF21', 'Request', 'another destination, which is no part of the group below F0'],
    ['18FEF200', 'Fuel', 'another source'],
    ['18FEF207', 'Plain', 'an identifier of its own'],
    ['0CFEF207', 'Fuel', 'the addresses of one that is only an identifier'],
    ['0CFEF103', 'SpeedOfGearbox', 'its identifier'],
    ['14EA21FE', 'Request', 'its source and another destination'],
    ['14EA2103', 'RequestOfGearbox', 'its source and another destination, before the first one'],
  ])('is found for 0x%s: %s, by %s', (text, name) => {
    expect(byGroup.find(id(text), true)?.name).toBe(name);
  });

  it('is found by the exact identifier of one of two messages with the same addresses', () => {
    const two = new MessageIndex({
      messages: ['18FEF100', '0CFEF100'].map((text) => ({
        ...{ name: text, id: id(text), extended: true, pgn: 0xfef1 },
      })),
    });
    expect(two.find(id('0CFEF100'), true)?.name).toBe('0CFEF100');
    expect(two.find(id('04FEF100'), true)?.name).toBe('18FEF100');
  });

  it('is not found for other groups, and not for other data pages', () => {
    expect(byGroup.find(id('18FEF300'), true)).toBeUndefined();
    expect(byGroup.find(id('19FEF100'), true)).toBeUndefined();
  });

  it('takes the frames that are found for it alone, by what its group needs to know', () => {
    const ids = ['18FEF1FE', '0CFEF1FE', '0CFEF103', '18FEF103', '18FEF100', '18FEF207', '0CFEF207']
      .concat(['18FEF2FE', '18EA00FE', '18EA21FE', '14EA2103', '18EAFF00', '18FEF300'])
      .map(id);
    for (const message of groups.messages) {
      const group = byGroup.groupOf(message);
      if (message.name === 'Plain') expect(group).toBeNull();
      if (group === null) continue;
      const own = new MessageIndex({ messages: group.heads });
      for (const each of ids) {
        const isFound = own.find(each, true) === group.heads[group.own];
        expect(isFound, `${message.name} ${each}`).toBe(byGroup.find(each, true) === message);
      }
    }
  });
});
