import { Checker } from '../checker.ts';
import type { E2eSettings } from '../codec-fields.ts';
import { compileLayout } from '../layout.ts';
import { Protector } from '../protector.ts';
import { loadCodec } from './load-codec.ts';

/** Bytes of any frame before and after the protected ones. */
const margin = 5;
const untouched = 0x5a;

/** Bytes inside a larger buffer, as frames are in the gateway; adjacent bytes must not change. */
export class PlacedBytes {
  readonly buffer: Uint8Array;
  readonly at = margin;

  constructor(data: Uint8Array) {
    this.buffer = new Uint8Array(data.length + 2 * margin).fill(untouched);
    this.buffer.set(data, margin);
  }

  /** The bytes; throws if adjacent ones were overwritten. */
  get data(): Uint8Array {
    const end = this.buffer.length - margin;
    const around = [...this.buffer.subarray(0, margin), ...this.buffer.subarray(end)];
    if (around.some((byte) => byte !== untouched))
      throw new Error('Adjacent bytes were overwritten');
    return this.buffer.slice(margin, end);
  }

  get hex(): string {
    return Buffer.from(this.data).toString('hex');
  }
}

export const hexBytes = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

/** A sender and a receiver of one message with an accepted codec. */
export const link = (fields: Partial<E2eSettings>, length = 8) => {
  const codec = loadCodec(fields, length);
  const layout = compileLayout(codec, length);
  return { codec, layout, protector: new Protector(layout), checker: new Checker(layout, codec) };
};

/** A message with its protection for a given counter. */
export const protectedWith = (
  fields: Partial<E2eSettings>,
  data: string | Uint8Array,
  counter: number | bigint,
): PlacedBytes => {
  const bytes = typeof data === 'string' ? hexBytes(data) : data;
  const { protector } = link({ ...fields, counter_initial: String(counter) }, bytes.length);
  const frame = new PlacedBytes(bytes);
  protector.protect(frame.buffer, frame.at);
  return frame;
};
