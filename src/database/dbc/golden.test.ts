import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bitOf } from '../layout.ts';
import type { Signal } from '../model.ts';
import { readDbc } from './read-dbc.ts';
import { writeDbc } from './testing/write-dbc.ts';

const folder = join(import.meta.dirname, '../../../tests/golden/dbc');
const golden = (name: string): Uint8Array => readFileSync(join(folder, name));
const text = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

const files = [
  'rich.dbc',
  'fd.dbc',
  'j1939.dbc',
  'chinese-gbk.dbc',
  'chinese-utf8-bom.dbc',
  'extended-multiplexing.dbc',
  'positions.dbc',
];

describe.each(files)('%s', (name) => {
  const { database, encoding, diagnostics } = readDbc(golden(name));

  it('holds no statement that cannot be read', () => {
    const faults = diagnostics.filter(({ severity }) => severity !== 'info');
    expect(faults.filter(({ code }) => code !== 'length_needs_fd')).toEqual([]);
  });

  it('reads back as the same database after it was written', () => {
    const written = writeDbc(database, { encoding });
    expect(readDbc(written)).toEqual({ database, encoding, diagnostics: expect.anything() });
    expect(readDbc(writeDbc(database)).database).toEqual(database);
  });

  it('can cross threads', () => {
    expect(structuredClone(database)).toEqual(database);
  });
});

describe('rich.dbc', () => {
  const { database, encoding } = readDbc(golden('rich.dbc'));
  const [engine, floats, temperatures] = database.messages;

  it('is written as it always was', async () => {
    expect(encoding).toBe('windows-1252');
    const written = text(writeDbc(database, { encoding }));
    expect(written).toBe(text(golden('rich.written.dbc')));
  });

  it('has every kind of statement in the model', () => {
    expect(database).toMatchObject({
      format: 'dbc',
      version: 'rich 1.0',
      comment: 'First line of the network. Joined.',
      attributes: { DBName: { kind: 'text', text: 'Rich' } },
      valueTables: [{ name: 'OnOff' }],
    });
    expect(database.nodes.map(({ name }) => name)).toEqual([
      'Engine',
      'Gateway',
      'Dashboard',
      'ThermalManagementControllerOfTheTraction',
    ]);
    expect(database.nodes[0]).toMatchObject({
      comment: 'Burns "fuel"',
      attributes: { NodeLayer: { kind: 'number', number: '17' } },
    });
    expect(database.specifics).toMatchObject({
      bitTiming: { baudRate: '500000', btr1: '1', btr2: '28' },
      environmentVariables: [{ type: 'float', unit: '°C' }, { type: 'string' }, { dataSize: 16 }],
      signalGroups: [{ name: 'Drive', signals: ['Speed', 'Torque'] }],
      relationAttributes: [{ node: 'Gateway' }, { node: 'Dashboard' }, { node: 'Dashboard' }],
    });
  });

  it('has messages with cycle times of their own and by default', () => {
    expect(engine).toMatchObject({
      id: 256,
      senders: ['Engine', 'Gateway'],
      cycleTimeMs: 10,
      comment: 'Sent always;\r\nalso over two lines',
      attributes: { GenMsgSendType: { kind: 'choice', index: 0, text: 'Cyclic' } },
    });
    expect(floats).toMatchObject({ cycleTimeMs: 100, fd: true });
    expect(floats?.signals.map(({ kind }) => kind)).toEqual(['float32', 'float64']);
    expect(temperatures).toMatchObject({
      name: 'EngineTemperaturesOfTheCoolingSystem',
      extended: true,
      cycleTimeMs: null,
    });
    expect(temperatures?.signals[0]).toMatchObject({
      name: 'CoolantTemperatureAtTheOutletOfTheEngine',
      unit: '°C',
    });
  });

  it('has signals with values and initial values', () => {
    expect(engine?.signals.map(({ initialRaw }) => initialRaw)).toEqual(['3200', '-1.5', '0', '0']);
    expect(engine?.signals[1]?.values).toEqual([
      { raw: -1n, text: 'Invalid' },
      { raw: 4095n, text: 'Not available' },
    ]);
    expect(engine?.signals[3]).toMatchObject({ factor: '1E-002', minimum: '0.0', receivers: [] });
  });
});

describe('fd.dbc', () => {
  it('tells FD frames from classic ones, and those that switch the bit rate', () => {
    const { messages } = readDbc(golden('fd.dbc')).database;
    expect(messages.map(({ name, fd, brs }) => [name, fd, brs])).toEqual([
      ['ObjectList', true, true],
      ['Classic', false, false],
      ['Slow', true, false],
      ['Unmarked', true, true],
    ]);
  });
});

describe('j1939.dbc', () => {
  it('has transported messages that are not FD', () => {
    const { messages } = readDbc(golden('j1939.dbc')).database;
    expect(messages.map(({ id, length, fd }) => [id, length, fd])).toEqual([
      [0x0cf004fe, 8, false],
      [0x18fecafe, 1785, false],
    ]);
  });
});

describe('the Chinese files', () => {
  it.each(['chinese-gbk.dbc', 'chinese-utf8-bom.dbc'])('%s has its texts', (name) => {
    const [message] = readDbc(golden(name)).database.messages;
    expect(message).toMatchObject({
      comment: '动力电池状态',
      signals: [{ unit: '℃', values: [{ text: '无效' }, { text: '错误' }] }],
    });
  });
});

describe('extended-multiplexing.dbc', () => {
  it('keeps ranges as ranges', () => {
    const [message] = readDbc(golden('extended-multiplexing.dbc')).database.messages;
    expect(message?.signals.map(({ multiplexing }) => multiplexing)).toEqual([
      null,
      { switch: 'Root', ranges: [{ from: 0n, to: 1n }] },
      {
        switch: 'Branch',
        ranges: [
          { from: 0n, to: 4n },
          { from: 6n, to: 9n },
        ],
      },
      { switch: 'Branch', ranges: [{ from: 10n, to: 18446744073709551615n }] },
      {
        switch: 'Root',
        ranges: [
          { from: 3n, to: 3n },
          { from: 5n, to: 255n },
        ],
      },
      null,
    ]);
  });
});

describe('positions.dbc', () => {
  const signals = readDbc(golden('positions.dbc')).database.messages[0]?.signals ?? [];

  /** The raw value computed bit by bit from the definition of positions. */
  const rawOf = (signal: Signal, data: readonly number[]): number => {
    let raw = 0;
    for (let index = 0; index < signal.length; index += 1) {
      const bit = bitOf(signal, index);
      const isSet = ((data[bit >> 3] ?? 0) >> (bit & 7)) & 1;
      const weight = signal.byteOrder === 'intel' ? index : signal.length - 1 - index;
      raw += isSet * 2 ** weight;
    }
    const isNegative = signal.kind === 'signed' && raw >= 2 ** (signal.length - 1);
    return isNegative ? raw - 2 ** signal.length : raw;
  };

  it.each([
    ['0123456789ABCDEF', [560, 1110, 427, 61389]],
    ['FFEEDDCCBBAA9988', [-273, 3548, -86, 34969]],
    ['00F07F80FF0155AA', [-256, 2040, -255, 43605]],
  ])('%s decodes to the worked values', (hex, expected) => {
    const data = (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
    expect(signals.map((signal) => rawOf(signal, data))).toEqual(expected);
  });
});
