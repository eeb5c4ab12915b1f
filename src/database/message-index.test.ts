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
  ])('is found for 0x%s: %s, by %s', (text, name) => {
    expect(byGroup.byGroup(id(text))?.name).toBe(name);
  });

  it('is not found for other groups, and not for other data pages', () => {
    expect(byGroup.byGroup(id('18FEF300'))).toBeUndefined();
    expect(byGroup.byGroup(id('19FEF100'))).toBeUndefined();
  });

  it('has the frames of its addresses, and the first one those of nobody else', () => {
    const groupOf = (name: string) => {
      const message = byGroup.byName(name);
      return message && byGroup.groupOf(message);
    };
    expect(groupOf('Speed')).toEqual({ pgn: 0xfef1, isFirst: true, others: [id('00FEF103')] });
    expect(groupOf('SpeedOfGearbox')).toMatchObject({ isFirst: false, others: [id('00FEF1FE')] });
    expect(groupOf('Fuel')).toEqual({ pgn: 0xfef2, isFirst: true, others: [id('00FEF207')] });
    expect(groupOf('Plain')).toBeNull();
  });
});
