import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLdf } from '../../src/database/ldf/read-ldf.ts';
import { parseHex } from '../../src/frame/hex-bytes.ts';
import { MessageEncoder } from '../../src/signal/encode/message-encoder.ts';

interface Row {
  readonly message: string;
  /** Bits without a signal are 1. */
  readonly payload: string;
  /** Raw value of each signal, and its label or exact value where its encoding has one. */
  readonly values: Readonly<Record<string, { raw: string; label?: string; value?: string }>>;
}

interface Initial {
  readonly message: string;
  readonly initial: string;
}

const python = '/usr/bin/python3';
const script = join(import.meta.dirname, 'support', 'ldfparser_values.py');
const golden = join(import.meta.dirname, '../golden/ldf');
const file = join(golden, 'values.ldf');
const written = readFileSync(join(golden, 'values.ldfparser.jsonl'), 'utf8');
const lines: readonly (Row | Initial)[] = written
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const rows = lines.filter((line): line is Row => 'payload' in line);

const { LDFPARSER_PYTHONPATH: folder } = process.env;
const env = folder === undefined ? process.env : { ...process.env, PYTHONPATH: folder };
const available = spawnSync(python, ['-c', 'import ldfparser'], { env }).status === 0;

const { messages } = readLdf(readFileSync(file)).database;
const encoders = new Map(
  messages.map((message) => [message.name, new MessageEncoder(message, { isLin: true })]),
);
const encoderOf = (message: string): MessageEncoder => {
  const encoder = encoders.get(message);
  if (encoder === undefined) throw new Error(`${message} is not in the file`);
  return encoder;
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const shownIn = ({ message, payload }: Row) =>
  encoderOf(message).signalsOf(parseHex(payload, { field: '', maxLength: 8 }));

/** Some signals as text, and before that the others as raw values. */
const encoded = ({ message, values }: Row, texts: Readonly<Record<string, string>>): string => {
  const others = Object.entries(values).filter(([name]) => !(name in texts));
  const signals = Object.fromEntries(others.map(([name, { raw }]) => [name, raw]));
  const { values: before } = encoderOf(message).encode({ signals, raw: true });
  return hexOf(encoderOf(message).encode({ signals: texts, before }).data);
};

describe('LIN frames by name beside ldfparser', () => {
  it('have the same values in every payload', () => {
    for (const row of rows) {
      const shown = shownIn(row);
      expect(shown.map(({ signal }) => signal).toSorted()).toEqual(
        Object.keys(row.values).toSorted(),
      );
      for (const { signal, raw, value, label } of shown) {
        const where = `${row.message}.${signal} in ${row.payload}`;
        const expected = row.values[signal];
        expect(raw, where).toBe(expected?.raw);
        if (expected?.label !== undefined) expect(label, where).toBe(expected.label);
        if (expected?.value === undefined) continue;
        const isText = encoderOf(row.message).signalNamed(signal).array === 'ascii';
        if (isText) expect(value, where).toBe(expected.value);
        else expect(Number(value), where).toBe(Number(expected.value));
      }
    }
  });

  it('have the same payload by raw value, with ones in the bits without a signal', () => {
    for (const row of rows) {
      // Byte arrays have text in either form.
      const arrays = shownIn(row).filter(
        ({ signal }) => encoderOf(row.message).signalNamed(signal).array !== undefined,
      );
      const texts = arrays.map(({ signal, value }) => [signal, value]);
      expect(encoded(row, Object.fromEntries(texts)), row.message).toBe(row.payload);
    }
  });

  it('have the same payload by value and label', () => {
    for (const row of rows) {
      const texts = Object.entries(row.values).flatMap(([name, { label, value }]) => {
        const text = label ?? value;
        return text === undefined ? [] : [[name, text]];
      });
      expect(encoded(row, Object.fromEntries(texts)), row.payload).toBe(row.payload);
    }
  });

  it('begin with the same initial values', () => {
    const initial = lines.filter((line): line is Initial => 'initial' in line);
    expect(
      initial.map(({ message }) => ({
        message,
        initial: hexOf(encoderOf(message).encode({ signals: {} }).data),
      })),
    ).toEqual(initial);
  });

  it.runIf(available)('are compared with what ldfparser answers today', () => {
    const { stdout } = spawnSync(python, [script, file], { env, encoding: 'utf8' });
    expect(stdout).toBe(written);
  });
});
