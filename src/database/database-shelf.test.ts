import { beforeEach, describe, expect, it } from 'vitest';
import { DatabaseShelf } from './database-shelf.ts';

const signal = (index: number): string => ` SG_ S${index} : ${index}|1@1+ (1,0) [0|1] "" B`;

const dbc = (messages: number, signals = 2): Uint8Array =>
  new TextEncoder().encode(
    [
      'VERSION "7"',
      'BU_: A B',
      ...Array.from({ length: messages }, (_, index) =>
        [
          `BO_ ${index + 1} Message${index}: 8 A`,
          ...Array.from({ length: signals }, (_, place) => signal(place)),
          '',
        ].join('\n'),
      ),
      'BO_ 2147483649 Wide: 8 A',
      signal(0),
    ].join('\n'),
  );

const codeOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
};

const roomy = { offset: 0, limit: 1000, maxBytes: 1_000_000 };

describe('DatabaseShelf', () => {
  let shelf: DatabaseShelf;

  beforeEach(() => {
    shelf = new DatabaseShelf(2, () => 42);
    shelf.load({ name: 'one', file: 'one.dbc', bytes: dbc(3) });
  });

  it('tells in short what it has loaded', () => {
    expect(shelf.list()).toMatchObject([
      { name: 'one', file: 'one.dbc', version: '7', messages: 4, signals: 7, nodes: 2, errors: 0 },
    ]);
    expect(shelf.list()[0]?.loaded_at_us).toBe(42);
  });

  it('keeps names apart and its number of databases within the limit', () => {
    const load = (name: string) => () => shelf.load({ name, file: 'x.dbc', bytes: dbc(1) });
    expect(codeOf(load('one'))).toBe('already_exists');
    shelf.load({ name: 'two', file: 'x.dbc', bytes: dbc(1) });
    expect(codeOf(load('three'))).toBe('capacity_exceeded');
    shelf.unload('two');
    expect(codeOf(load('three'))).toMatchObject({ name: 'three' });
  });

  it('shows its messages page by page, each of them once', () => {
    const names: string[] = [];
    for (let offset = 0; offset < 4; ) {
      const page = shelf.page('one', { ...roomy, offset, limit: 3 });
      expect(page).toMatchObject({ message_total: 4, message_offset: offset });
      names.push(...page.message_page.map(({ name }) => name));
      offset = page.message_next_offset;
    }
    expect(names).toEqual(['Message0', 'Message1', 'Message2', 'Wide']);
  });

  it('makes a page shorter rather than an answer too large', () => {
    const whole = shelf.page('one', roomy);
    const maxBytes = JSON.stringify(whole).length - 100;
    const page = shelf.page('one', { ...roomy, maxBytes });
    expect(page.message_page.length).toBeLessThan(4);
    expect(page.message_next_offset).toBe(page.message_page.length);
    expect(JSON.stringify(page).length).toBeLessThanOrEqual(maxBytes + 100);
  });

  it('gets past a message that no answer has room for', () => {
    const page = shelf.page('one', { ...roomy, maxBytes: 10 });
    expect(page.message_page).toMatchObject([{ name: 'Message0', signals: [] }]);
    expect(page.message_next_offset).toBe(1);
  });

  it.each([
    ['Message1', 'Message1'],
    [2, 'Message1'],
    ['2', 'Message1'],
    ['0x2', 'Message1'],
  ])('finds a message by %j', (reference, name) => {
    expect(shelf.message('one', reference).name).toBe(name);
  });

  it('does not guess which of two messages an identifier means', () => {
    expect(codeOf(() => shelf.message('one', 1))).toBe('invalid_argument');
    expect(shelf.message('one', 'Wide')).toMatchObject({ id: 1, extended: true });
  });

  it.each(['Nobody', 99, '0xFFF', ''])('knows no message %j', (reference) => {
    expect(codeOf(() => shelf.message('one', reference))).toBe('message_not_found');
  });

  it('knows nothing of what was never loaded, or is unloaded', () => {
    shelf.unload('one');
    for (const act of [
      () => shelf.page('one', roomy),
      () => shelf.message('one', 1),
      () => shelf.unload('one'),
    ]) {
      expect(codeOf(act)).toBe('database_not_found');
    }
  });
});
