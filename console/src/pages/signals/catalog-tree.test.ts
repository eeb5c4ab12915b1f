import { describe, expect, it } from 'vitest';
import type { DatabaseContent, DatabaseMessage, DatabaseSignal } from '../../api/client.ts';
import { aMessage as messageModel, aSignal as signalModel } from '../../codec/testing/models.ts';
import {
  databaseKey,
  idText,
  messageKey,
  parentIndex,
  type TreeRow,
  treeRows,
} from './catalog-tree.ts';

const aSignal = (name: string, unit = ''): DatabaseSignal => signalModel({ name, unit });

const aMessage = (name: string, id: number, signals: DatabaseSignal[]): DatabaseMessage =>
  messageModel(signals, 8, { name, id, extended: id > 0x7ff });

const aDatabase = (name: string, messages: DatabaseMessage[]): DatabaseContent => ({
  name,
  type: 'dbc',
  file: `${name}.dbc`,
  size_bytes: 1,
  encoding: 'utf-8',
  version: null,
  messages: messages.length,
  signals: 0,
  j1939_messages: 0,
  nodes: 0,
  lin: null,
  warnings: 0,
  errors: 0,
  loaded_at_us: 0,
  diagnostics: [],
  message_total: messages.length,
  message_offset: 0,
  message_next_offset: messages.length,
  message_page: messages,
});

const catalogs = [
  aDatabase('vehicle', [
    aMessage('Engine', 0x100, [aSignal('EngineSpeed', 'rpm'), aSignal('Throttle', '%')]),
    aMessage('Battery', 0x18ff50e5, [aSignal('Voltage', 'V')]),
  ]),
  aDatabase('body', [aMessage('Doors', 0x300, [aSignal('Driver')])]),
];

const nameOf = (row: TreeRow): string => {
  if (row.kind === 'database') return row.database;
  return row.kind === 'message' ? row.message.name : row.signal.name;
};

const names = (open: string[], query = ''): string[] =>
  treeRows(catalogs, { open: new Set(open), query }).map(nameOf);

describe('treeRows', () => {
  it('shows only databases while everything is folded', () => {
    expect(names([])).toEqual(['vehicle', 'body']);
  });

  it('shows what is folded out, level by level', () => {
    const vehicle = databaseKey('vehicle');
    expect(names([vehicle])).toEqual(['vehicle', 'Engine', 'Battery', 'body']);
    expect(names([vehicle, messageKey('vehicle', 'Engine')])).toEqual([
      'vehicle',
      'Engine',
      'EngineSpeed',
      'Throttle',
      'Battery',
      'body',
    ]);
  });

  it('does not show signals of a message in a folded database', () => {
    expect(names([messageKey('vehicle', 'Engine')])).toEqual(['vehicle', 'body']);
  });

  it.each([
    ['speed', ['vehicle', 'Engine', 'EngineSpeed']],
    ['ENGINE thr', ['vehicle', 'Engine', 'Throttle']],
    ['18ff', ['vehicle', 'Battery', 'Voltage']],
    ['rpm', ['vehicle', 'Engine', 'EngineSpeed']],
    ['body', ['body', 'Doors', 'Driver']],
    ['nothing', []],
  ])('finds %j, folded out', (query, found) => {
    expect(names([], query)).toEqual(found);
  });

  it('tells where each row is among those beside it', () => {
    const open = new Set([databaseKey('vehicle'), messageKey('vehicle', 'Engine')]);
    const places = (query: string) =>
      treeRows(catalogs, { open, query }).map((row) => [nameOf(row), row.position, row.siblings]);
    expect(places('')).toEqual([
      ['vehicle', 1, 2],
      ['Engine', 1, 2],
      ['EngineSpeed', 1, 2],
      ['Throttle', 2, 2],
      ['Battery', 2, 2],
      ['body', 2, 2],
    ]);
    expect(places('throttle')).toEqual([
      ['vehicle', 1, 1],
      ['Engine', 1, 1],
      ['Throttle', 1, 1],
    ]);
  });

  it('counts what was found', () => {
    const [, engine] = treeRows(catalogs, { open: new Set(), query: 'speed' });
    expect(engine).toMatchObject({ kind: 'message', count: 1 });
  });
});

describe('parentIndex', () => {
  it('leads from a signal to its message, and from there to its database', () => {
    const rows = treeRows(catalogs, { open: new Set(), query: 'vehicle' });
    expect([3, 1, 0].map((index) => parentIndex(rows, index))).toEqual([1, 0, 0]);
  });
});

describe('idText', () => {
  it('has as many digits as the format of the identifier', () => {
    expect(catalogs[0]?.message_page.map(idText)).toEqual(['100', '18FF50E5']);
  });
});
