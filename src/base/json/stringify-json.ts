import { BusbarError } from '../errors/busbar-error.ts';
import { JsonSource } from './json-source.ts';

const widestIndent = 10;

const isBoxed = (value: object): boolean =>
  value instanceof Number ||
  value instanceof String ||
  value instanceof Boolean ||
  value instanceof BigInt;

const fallback = (key: string, value: unknown): unknown => {
  let plain = value;
  if (typeof plain === 'object' && plain !== null) {
    if ('toJSON' in plain && typeof plain.toJSON === 'function') plain = plain.toJSON(key);
  }
  return typeof plain === 'object' && plain !== null && isBoxed(plain) ? plain.valueOf() : plain;
};

export class ExactWriter {
  readonly #step: string;
  readonly #open = new Set<object>();

  constructor(indent: number) {
    this.#step = ' '.repeat(Math.max(0, Math.min(indent, widestIndent)));
  }

  write(value: unknown): string | undefined {
    return this.#write('', value, '');
  }

  #write(key: string, given: unknown, margin: string): string | undefined {
    if (given instanceof JsonSource) {
      return this.#step === '' ? given.text : given.inLines(this.#step, margin);
    }
    const value = fallback(key, given);
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (this.#open.has(value)) {
      throw new BusbarError('internal_error', { message: 'A value contains itself' });
    }
    this.#open.add(value);
    const inner = margin + this.#step;
    const text = Array.isArray(value)
      ? this.#enclose('[', this.#items(value, inner), ']', margin)
      : this.#enclose('{', this.#members(value, inner), '}', margin);
    this.#open.delete(value);
    return text;
  }

  #items(array: readonly unknown[], margin: string): string[] {
    // Array.from visits holes, which become null.
    return Array.from(array, (item, index) => this.#write(String(index), item, margin) ?? 'null');
  }

  #members(object: object, margin: string): string[] {
    const colon = this.#step === '' ? ':' : ': ';
    const members: string[] = [];
    for (const [key, value] of Object.entries(object)) {
      const text = this.#write(key, value, margin);
      if (text !== undefined) members.push(JSON.stringify(key) + colon + text);
    }
    return members;
  }

  #enclose(left: string, parts: readonly string[], right: string, margin: string): string {
    if (parts.length === 0) return left + right;
    if (this.#step === '') return left + parts.join(',') + right;
    const line = `\n${margin}${this.#step}`;
    return `${left}${line}${parts.join(`,${line}`)}\n${margin}${right}`;
  }
}

const write = (value: unknown, indent: number): string | undefined => {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // Most likely a bigint or a JsonSource. Other errors occur again below.
    return new ExactWriter(indent).write(value);
  }
};

/**
 * Like `JSON.stringify`, with exact `bigint` integers and `JsonSource` as written. A value
 * without a JSON form is a programming error.
 */
export const stringifyJson = (value: unknown, indent = 0): string => {
  let text: string | undefined;
  try {
    text = write(value, indent);
  } catch (thrown) {
    throw BusbarError.from(thrown);
  }
  if (text === undefined) {
    throw new BusbarError('internal_error', { message: 'The value cannot be written as JSON' });
  }
  return text;
};
