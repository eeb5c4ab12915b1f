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

  it('is the last one of those that share an identifier or a name', () => {
    expect(index.byId(6, false)?.name).toBe('New');
    expect(index.byName('New')?.id).toBe(7);
  });
});
