import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareDecimals, parseDecimal } from '../../src/base/decimal/decimal.ts';
import { readDbc } from '../../src/database/dbc/read-dbc.ts';
import type { RawKind } from '../../src/database/model.ts';
import { parseHex } from '../../src/frame/hex-bytes.ts';
import { MessageEncoder } from '../../src/signal/encode/message-encoder.ts';

interface Row {
  readonly message: string;
  readonly payload: string;
  /** Raw and exact physical value of each signal in the payload. */
  readonly values: Readonly<Record<string, readonly [raw: string, value: string]>>;
  /** The values encoded; bits without a signal are 0. */
  readonly encoded: string;
}

const python = '/usr/bin/python3';
const script = join(import.meta.dirname, 'support', 'cantools_values.py');
const golden = join(import.meta.dirname, '../golden/dbc');
const file = join(golden, 'values.dbc');
const written = readFileSync(join(golden, 'values.cantools.jsonl'), 'utf8');
const rows: readonly Row[] = written
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const { CANTOOLS_PYTHONPATH: folder } = process.env;
const env = folder === undefined ? process.env : { ...process.env, PYTHONPATH: folder };
const available = spawnSync(python, ['-c', 'import cantools'], { env }).status === 0;

const { messages } = readDbc(readFileSync(file)).database;
const encoders = new Map(messages.map((message) => [message.name, new MessageEncoder(message)]));
const encoderIn = (text: string): MessageEncoder => {
  const [message] = readDbc(new TextEncoder().encode(text)).database.messages;
  if (message === undefined) throw new Error('The text has no message');
  return new MessageEncoder(message);
};
const encoderOf = ({ message }: Row): MessageEncoder => {
  const encoder = encoders.get(message);
  if (encoder === undefined) throw new Error(`${message} is not in the file`);
  return encoder;
};

/** Texts of floats can differ in length: the same single is 0.1 and 0.10000000149011612. */
const isSame = (one: string | null, other: string, kind: RawKind): boolean => {
  if (kind === 'float32') return Math.fround(Number(one)) === Math.fround(Number(other));
  if (kind === 'float64') return Number(one) === Number(other);
  const [left, right] = [parseDecimal(one ?? ''), parseDecimal(other)];
  return left !== null && right !== null && compareDecimals(left, right) === 0;
};

describe('messages by name beside cantools', () => {
  it('have the same values in every payload', () => {
    for (const row of rows) {
      const shown = encoderOf(row).signalsOf(parseHex(row.payload, { field: '', maxLength: 64 }));
      expect(shown.map(({ signal }) => signal).toSorted()).toEqual(
        Object.keys(row.values).toSorted(),
      );
      for (const { signal, raw, value } of shown) {
        const [expectedRaw = '', expected = ''] = row.values[signal] ?? [];
        const where = `${row.message}.${signal} in ${row.payload}`;
        const { kind } = encoderOf(row).signalNamed(signal);
        expect(isSame(raw, expectedRaw, kind), `raw of ${where}`).toBe(true);
        expect(isSame(value, expected, kind), where).toBe(true);
      }
    }
  });

  it.each(['value', 'raw'] as const)('have the same payload by %s', (by) => {
    for (const row of rows) {
      const texts = Object.entries(row.values).map(([signal, [raw, value]]) => [
        signal,
        by === 'raw' ? raw : value,
      ]);
      const signals = Object.fromEntries(texts);
      const { data } = encoderOf(row).encode({ signals, raw: by === 'raw' });
      expect(Buffer.from(data).toString('hex').toUpperCase(), row.message).toBe(row.encoded);
    }
  });

  // Over the 463 of 587 public files that cantools reads (12,602 messages, 50,399 payloads,
  // 381,292 values), this is the only difference in values. Of signals that have the same name,
  // cantools keeps one; here the others are called Name#2 and so on.
  it('have a signal that cantools omits: its switch is marked m instead of M', () => {
    const text = `BO_ 648 Motor_2: 1 A
 SG_ Code m : 6|2@1+ (1,0) [0|3] "" B
 SG_ Version m0 : 0|6@1+ (1,0) [0|63] "" B
SG_MUL_VAL_ 648 Version Code 0-0;
`;
    const encoder = encoderIn(text);
    const shown = (byte: number) => encoder.signalsOf(Uint8Array.of(byte)).map(({ raw }) => raw);
    // SG_MUL_VAL_ says which signal is the switch, and when Version is present.
    expect(shown(0x0c)).toEqual(['0', '12']);
    expect(shown(0x4c)).toEqual(['1']);
  });

  it('have ones in J1939 bits without a signal, where cantools sends zeros', () => {
    const text = `BO_ 2566844926 Speed: 2 A
 SG_ Speed : 0|8@1+ (1,0) [0|250] "" B
BA_DEF_ "ProtocolType" STRING ;
BA_ "ProtocolType" "J1939";
`;
    const { data } = encoderIn(text).encode({ signals: { Speed: '4' }, raw: false });
    expect([...data]).toEqual([4, 0xff]);
  });

  it.runIf(available)('are compared with what cantools answers today', () => {
    const { stdout } = spawnSync(python, [script, file], { env, encoding: 'utf8' });
    expect(stdout).toBe(written);
  });
});
