import { describe, expect, it } from 'vitest';
import type { Columns } from '../../operations/define.ts';
import { type Palette, plainPalette } from './palette.ts';
import { renderTable, renderText } from './text.ts';

const marking: Palette = {
  strong: (text) => `<${text}>`,
  faint: (text) => `(${text})`,
  bad: (text) => text,
};

const render = (value: unknown, columns?: Columns): string[] => {
  const text = renderText(value, plainPalette, columns);
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
};

describe('renderText', () => {
  it('leaves keys alone that are not ours', () => {
    expect(render({ channels: { 'tester_(SIM00001/0)': 'tester' } })).toEqual([
      'channels',
      '  tester_(SIM00001/0)  tester',
    ]);
  });

  it('prints no control characters of names in files, as keys, fields or cells', () => {
    const name = 'can0\u001b[2J\n\u009b\u202e';
    const text = renderText({ name, [name]: 1, channels: [{ name, names: [name] }] }, plainPalette);
    expect(text.split('\n')).toHaveLength(6);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('heads a column by all of the way to its field', () => {
    const rows = [{ source: { slot: 1 }, target: { slot: 2 }, sent: 3 }];
    expect(render({ routes: rows }, ['source.slot', 'target.slot', 'sent'])).toEqual([
      'source slot  target slot  sent',
      '1            2            3',
    ]);
  });

  it('shows identifiers in hex, with as many digits as tell how wide they are', () => {
    const rows = [
      { id: 0x123, extended: false, source: { id: 0x123, mask: 0x7f0, extended: true } },
      { id: 0x18ff50e5, extended: true, source: { id: 1, mask: 0x1fffffff, extended: null } },
      { id: 'part-1', source: {} },
    ];
    expect(render({ rows }, ['id', 'source.id', 'source.mask'])).toEqual([
      'id          source id   source mask',
      '0x123       0x00000123  0x000007F0',
      '0x18FF50E5  0x001       0x1FFFFFFF',
      'part-1      -           -',
    ]);
    expect(render({ id: 0x21, dlc: 2 })).toEqual(['id   0x021', 'dlc  2']);
  });

  it('shows what diagnostics writes in hex in hex, and the same fields of others in decimal', () => {
    expect(render({ nrc: 0x31, nrc_name: 'request out of range', pending: 10 })).toEqual([
      'nrc       0x31',
      'nrc name  request out of range',
      'pending   10',
    ]);
    expect(render({ dtcs: [{ text: 'P0301-00', status: 8, status_bits: ['confirmed'] }] })).toEqual(
      ['text      status  status bits', 'P0301-00  0x08    confirmed'],
    );
    const settings = { addressing: 'extended', request_id: 0x6f1, extended: false, target: 0x12 };
    expect(render(settings)).toEqual([
      'addressing  extended',
      'request id  0x6F1',
      'extended    no',
      'target      0x12',
    ]);
    expect(render({ address: 0x0800_0000, size: 16 })).toEqual([
      'address  0x08000000',
      'size     16',
    ]);
    expect(render({ address: 40, status: 200, target: 7 })).toEqual([
      'address  40',
      'status   200',
      'target   7',
    ]);
  });

  it('aligns the fields of a record', () => {
    expect(render({ id: 'a', web_root: '/srv', pid: 7 })).toEqual([
      'id        a',
      'web root  /srv',
      'pid       7',
    ]);
  });

  it.each<[key: string, value: unknown, line: string]>([
    ['state', null, 'state  -'],
    ['state', undefined, 'state  -'],
    ['on', true, 'on  yes'],
    ['on', false, 'on  no'],
    ['n', 0, 'n  0'],
    ['n', -1.5, 'n  -1.5'],
    ['list', [], 'list  -'],
    ['list', ['a', 'b', 3], 'list  a, b, 3'],
    ['started_at_us', 1_700_000_000_000_000, 'started at  2023-11-14T22:13:20.000Z'],
    ['started_at_us', null, 'started at  -'],
    ['time_us', 1_700_000_000_000_000, 'time  2023-11-14T22:13:20.000Z'],
    ['uptime_us', 5, 'uptime us  5'],
  ])('writes the field %s of %j for people', (key, value, line) => {
    expect(render({ [key]: value })).toEqual([line]);
  });

  it('shows records inside a record below it, deeper ones deeper', () => {
    const value = { web: { state: 'ok', more: { clients: 2 } }, status: 'ok' };
    expect(render(value)).toEqual(['status  ok', 'web', '  state  ok', '  more', '    clients  2']);
  });

  it('shows a list of records inside a record as a table', () => {
    const threads = [
      { name: 'client', restarts: 0 },
      { name: 'loader', restarts: 12 },
    ];
    expect(render({ status: 'ok', threads })).toEqual([
      'status  ok',
      'threads',
      '  name    restarts',
      '  client  0',
      '  loader  12',
    ]);
  });

  it('shows several lists, each in columns of its own', () => {
    const value = { cats: [{ name: 'a', age: 1 }], dogs: [{ name: 'b', age: 2 }] };
    expect(render(value, { cats: ['age', 'name'], dogs: ['name'] })).toEqual([
      'cats',
      '  age  name',
      '  1    a',
      'dogs',
      '  name',
      '  b',
    ]);
    expect(render({ dogs: value.dogs }, { dogs: ['name'] })).toEqual(['name', 'b']);
    expect(render({ birds: [{ name: 'c' }] }, { dogs: ['age'] })).toEqual(['name', 'c']);
  });

  it('shows the tables in a row below it where the row is alone', () => {
    const row = { name: 'Engine', signals: [{ name: 'Speed', bits: 16 }, { name: 'Gear' }] };
    const columns = { messages: ['name', 'signals'], signals: ['name'] };
    expect(render({ total: 1, messages: [row] }, columns)).toEqual([
      'total  1',
      'messages',
      '  name    signals',
      '  Engine  2 entries',
      '  signals',
      '    name',
      '    Speed',
      '    Gear',
    ]);
    expect(render({ total: 2, messages: [row, row] }, columns)).toHaveLength(5);
  });

  it('shows a record that is only a list as that table, in the columns asked for', () => {
    const jobs = [{ id: 'a', deep: { state: 'x' }, hidden: 1 }];
    expect(render({ jobs }, ['deep.state', 'id'])).toEqual(['deep state  id', 'x           a']);
    expect(render({ jobs })).toEqual(['id  deep           hidden', 'a   {"state":"x"}  1']);
  });

  it('says so when a list is empty', () => {
    expect(render({ jobs: [] }, ['id'])).toEqual(['jobs  -']);
  });

  it.each([
    ['text', 'text\n'],
    ['ends itself\n', 'ends itself\n'],
    ['', '\n'],
    [null, '-\n'],
    [7, '7\n'],
    [['a', 'b'], 'a, b\n'],
  ])('prints %j, which is no record, as it is', (value, text) => {
    expect(renderText(value, plainPalette)).toBe(text);
  });

  it('emphasises labels, not values, and aligns as if it had not', () => {
    const value = { id: 'a', state: 'b', deep: { on: true } };
    expect(renderText(value, marking)).toBe('(id   )  a\n(state)  b\n<deep>\n  (on)  yes\n');
  });
});

describe('renderTable', () => {
  it('makes each column as wide as its widest cell', () => {
    const rows = [
      { id: 'long-identifier', state: 'a' },
      { id: 'b', state: 'longer' },
    ];
    expect(renderTable(rows, ['id', 'state'], plainPalette)).toEqual([
      'id               state',
      'long-identifier  a',
      'b                longer',
    ]);
  });

  it('leaves a hole for a field that a row does not have', () => {
    const rows = [{ id: 'a', web: { port: 1 } }, { id: 'b' }, { id: 'c', web: 5 }];
    expect(renderTable(rows, ['id', 'web.port'], plainPalette)).toEqual([
      'id  web port',
      'a   1',
      'b   -',
      'c   -',
    ]);
  });

  it('writes times of a column as times', () => {
    const rows = [{ created_at_us: 1_700_000_000_000_000 }];
    expect(renderTable(rows, ['created_at_us'], plainPalette)).toEqual([
      'created at',
      '2023-11-14T22:13:20.000Z',
    ]);
  });
});
