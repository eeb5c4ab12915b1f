import { beforeEach, describe, expect, it } from 'vitest';
import { DatabaseStore } from './database-store.ts';

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

describe('DatabaseStore', () => {
  let store: DatabaseStore;

  beforeEach(() => {
    store = new DatabaseStore(2, () => 42);
    store.load({ name: 'one', file: 'one.dbc', bytes: dbc(3) });
  });

  it('tells in short what it has loaded', () => {
    expect(store.list()).toMatchObject([
      { name: 'one', file: 'one.dbc', version: '7', messages: 4, signals: 7, nodes: 2, errors: 0 },
    ]);
    expect(store.list()[0]?.loaded_at_us).toBe(42);
  });

  it('keeps names apart and its number of databases within the limit', () => {
    const load = (name: string) => () => store.load({ name, file: 'x.dbc', bytes: dbc(1) });
    expect(codeOf(load('one'))).toBe('already_exists');
    store.load({ name: 'two', file: 'x.dbc', bytes: dbc(1) });
    expect(codeOf(load('three'))).toBe('capacity_exceeded');
    store.unload('two');
    expect(codeOf(load('three'))).toMatchObject({ name: 'three' });
  });

  it('shows its messages page by page, each of them once', () => {
    const names: string[] = [];
    for (let offset = 0; offset < 4; ) {
      const page = store.page('one', { ...roomy, offset, limit: 3 });
      expect(page).toMatchObject({ message_total: 4, message_offset: offset });
      names.push(...page.message_page.map(({ name }) => name));
      offset = page.message_next_offset;
    }
    expect(names).toEqual(['Message0', 'Message1', 'Message2', 'Wide']);
  });

  it('makes a page shorter rather than an answer too large', () => {
    const whole = store.page('one', roomy);
    const maxBytes = JSON.stringify(whole).length - 100;
    const page = store.page('one', { ...roomy, maxBytes });
    expect(page.message_page.length).toBeLessThan(4);
    expect(page.message_next_offset).toBe(page.message_page.length);
    expect(JSON.stringify(page).length).toBeLessThanOrEqual(maxBytes + 100);
  });

  it('gets past a message that no answer has room for', () => {
    const page = store.page('one', { ...roomy, maxBytes: 10 });
    expect(page.message_page).toMatchObject([
      { name: 'Message0', signals: [{ name: 'S0' }], signals_omitted: 1 },
    ]);
    expect(page.message_next_offset).toBe(1);
  });

  it('shows a message of very many signals in pieces, each signal once', () => {
    store.load({ name: 'two', file: 'two.dbc', bytes: dbc(2, 10_000) });
    const maxBytes = 300_000;
    const names: string[] = [];
    let pages = 0;
    for (let left = 1; left > 0; pages += 1) {
      const range = { offset: 1, limit: 1, signalOffset: names.length, maxBytes };
      const { message_page, message_next_offset } = store.page('two', range);
      const [message] = message_page;
      expect(message).toMatchObject({ name: 'Message1', signal_offset: names.length });
      expect(message_next_offset).toBe(2);
      expect(JSON.stringify(message_page).length).toBeLessThanOrEqual(maxBytes);
      names.push(...(message?.signals ?? []).map(({ name }) => name));
      left = message?.signals_omitted ?? 0;
    }
    expect(pages).toBeGreaterThan(2);
    expect(names).toEqual(Array.from({ length: 10_000 }, (_, index) => `S${index}`));
  });

  it('shows one message alone, by its name or identifier', () => {
    const text = 'BO_ 1 M: 8 A\nBO_ 2 M: 8 A\nBO_ 3 N: 8 A\n';
    store.load({ name: 'two', file: 'two.dbc', bytes: new TextEncoder().encode(text) });
    for (const message of ['M#2', '2', '0x2', 2]) {
      expect(store.page('two', { ...roomy, message })).toMatchObject({
        message_total: 3,
        message_offset: 1,
        message_next_offset: 2,
        message_page: [{ name: 'M#2', id: 2 }],
      });
    }
    expect(() => store.page('two', { ...roomy, message: 'M#3' })).toThrow(
      expect.objectContaining({ code: 'message_not_found' }),
    );
  });

  it('gets past a signal whose values no answer has room for', () => {
    const texts = Array.from({ length: 1000 }, (_, raw) => `${raw} "${'x'.repeat(100)}"`);
    const text = `BO_ 1 M: 8 A\n${signal(0)}\n${signal(1)}\nVAL_ 1 S0 ${texts.join(' ')} ;\n`;
    store.load({ name: 'two', file: 'two.dbc', bytes: new TextEncoder().encode(text) });
    const page = (signalOffset: number) =>
      store.page('two', { ...roomy, signalOffset, maxBytes: 2000 }).message_page;
    expect(page(0)).toMatchObject([
      { signals: [{ name: 'S0', values: [], values_omitted: 1000 }, { name: 'S1' }] },
    ]);
    expect(page(1)).toMatchObject([{ signals: [{ name: 'S1' }], signals_omitted: 0 }]);
  });

  it('hands out signals by name with the switches that they depend on, of however large a message', () => {
    const many = Array.from({ length: 5000 }, (_, index) => signal(index)).join('\n');
    const text = `BO_ 1 M: 8 A\n SG_ Mux M : 0|8@1+ (1,0) [0|0] "" A\n SG_ T m1 : 8|8@1+ (1,0) [0|0] "" A\n${many}\n`;
    store.load({ name: 'two', file: 'two.dbc', bytes: new TextEncoder().encode(text) });
    expect(codeOf(() => store.message('two', 'M'))).toBe('invalid_argument');
    const { message, signals } = store.message('two', 'M', ['T', 'S7']);
    expect(message.signals.map(({ name }) => name)).toEqual(['Mux', 'T', 'S7']);
    expect(signals).toEqual(['T', 'S7']);
    expect(() => store.message('two', 'M', ['s7', 'T'])).toThrow(
      expect.objectContaining({
        code: 'signal_not_found',
        details: { field: 'signals', database: 'two', message: 'M', signal: 's7', nearest: 'S7' },
      }),
    );
    expect(() => store.message('two', 'm')).toThrow('Did you mean M?');
  });

  it('leaves out a signal whose name is too long to be named, and says so', () => {
    const long = ` SG_ ${'L'.repeat(256)} : 0|8@1+ (1,0) [0|0] "" A\n`;
    const text = `BO_ 1 M: 8 A\n${long}${long}${signal(8)}\n`;
    store.load({ name: 'two', file: 'two.dbc', bytes: new TextEncoder().encode(text) });
    expect(store.message('two', 'M')).toMatchObject({
      signals: ['L'.repeat(256), 'S8'],
      omitted: [{ reason: 'The name has more than 256 characters' }],
    });
  });

  it('finds a J1939 message by an identifier of its group, and tells how many there are', () => {
    const id = 0x18fe_f1fe + 0x8000_0000;
    const text = `BO_ ${id} Speed: 8 A\n${signal(0)}\nBA_DEF_ "ProtocolType" STRING ;\nBA_ "ProtocolType" "J1939";\n`;
    const bytes = new TextEncoder().encode(text);
    expect(store.load({ name: 'two', file: 'two.dbc', bytes })).toMatchObject({
      j1939_messages: 1,
      warnings: 0,
    });
    for (const reference of ['Speed', id, 0x18fe_f1fe, 0x0cfe_f121, '0x0CFEF121']) {
      const { message, group } = store.message('two', reference);
      expect([message.name, group?.pgn]).toEqual(['Speed', 0xfef1]);
    }
    expect(codeOf(() => store.message('two', 0x0cfe_f221))).toBe('message_not_found');
    expect(store.page('two', roomy).message_page).toMatchObject([{ name: 'Speed', pgn: 0xfef1 }]);
  });

  it.each([
    ['Message1', 'Message1'],
    [2, 'Message1'],
    ['2', 'Message1'],
    ['0x2', 'Message1'],
    ['002h', 'Message1'],
    // The digits define the width: of the two messages 1, this is the one of 29 bits.
    ['00000001', 'Wide'],
  ])('finds a message by %j', (reference, name) => {
    expect(store.message('one', reference).message.name).toBe(name);
  });

  it('does not guess which of two messages an identifier means', () => {
    expect(codeOf(() => store.message('one', 1))).toBe('invalid_argument');
    expect(store.message('one', 'Wide').message).toMatchObject({ id: 1, extended: true });
  });

  it.each(['Nobody', 99, '0xFFF', '', '00000002', '2147483649'])(
    'knows no message %j',
    (reference) => {
      expect(codeOf(() => store.message('one', reference))).toBe('message_not_found');
    },
  );

  it('knows nothing of what was never loaded, or is unloaded', () => {
    store.unload('one');
    for (const act of [
      () => store.page('one', roomy),
      () => store.message('one', 1),
      () => store.unload('one'),
    ]) {
      expect(codeOf(act)).toBe('database_not_found');
    }
  });
});
