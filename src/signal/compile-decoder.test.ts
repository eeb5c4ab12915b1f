import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, Signal } from '../database/model.ts';
import { compileDecoder, compilePhysicalDecoder } from './compile-decoder.ts';
import {
  arbitraryMessage,
  arbitraryMuxMessage,
  arbitraryPayload,
} from './testing/arbitrary-message.ts';
import { aMessage, aSignal, viewOf } from './testing/models.ts';
import { referenceDecode } from './testing/reference-codec.ts';

/** Decodes payloads inside a larger buffer; all integers are returned as bigint. */
const decoderOf = (message: Message, selection?: readonly number[]) => {
  const { signals, decode, newValues } = compileDecoder(message, selection);
  const values = newValues();
  return (payload: Uint8Array) => {
    const bytes = new Uint8Array(payload.length + 12).fill(0xa5);
    bytes.set(payload, 7);
    decode(viewOf(bytes), 7, payload.length, values);
    return signals.map(({ kind }, number) => {
      const raw = values.get(number);
      return raw === null || kind.startsWith('float') ? raw : BigInt(raw);
    });
  };
};

const decoded = (message: Message, payload: Uint8Array, selection?: readonly number[]) =>
  decoderOf(message, selection)(payload);

const several = (payload: fc.Arbitrary<Uint8Array>) =>
  fc.array(payload, { minLength: 5, maxLength: 5 });

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

const worked = aMessage([
  aSignal({ name: 'L', startBit: 4, length: 12, kind: 'signed' }),
  aSignal({ name: 'B', startBit: 23, length: 12, byteOrder: 'motorola' }),
  aSignal({ name: 'C', startBit: 33, length: 10, byteOrder: 'motorola', kind: 'signed' }),
  aSignal({ name: 'F', startBit: 48, length: 16, factor: '0.5', offset: '-10' }),
]);

describe('compileDecoder', () => {
  it.each([
    ['0123456789ABCDEF', [560n, 1110n, 427n, 61389n], 30684.5],
    ['FFEEDDCCBBAA9988', [-273n, 3548n, -86n, 34969n], 17474.5],
    ['00F07F80FF0155AA', [-256n, 2040n, -255n, 43605n], 21792.5],
  ])('reads %s as other tools do', (payload, raws, physical) => {
    expect(decoded(worked, hex(payload))).toEqual(raws);
    const values = new Float64Array(4);
    compilePhysicalDecoder(worked).decode(viewOf(hex(payload)), 0, 8, values, new Uint32Array(1));
    expect(values[3]).toBe(physical);
  });

  it('agrees with reading bit by bit, whatever the layout', () => {
    fc.assert(
      fc.property(arbitraryMessage(20), several(arbitraryPayload), (message, payloads) => {
        const decode = decoderOf(message);
        for (const payload of payloads) {
          expect(decode(payload)).toEqual(referenceDecode(message, payload));
        }
      }),
      { seed: 21, numRuns: 80 },
    );
  });

  it('agrees with reading bit by bit, whatever depends on what', () => {
    const payload = fc.uint8Array({ minLength: 5, maxLength: 8 });
    fc.assert(
      fc.property(arbitraryMuxMessage, several(payload), (message, payloads) => {
        const decode = decoderOf(message);
        for (const payload of payloads) {
          expect(decode(payload)).toEqual(referenceDecode(message, payload));
        }
      }),
      { seed: 22, numRuns: 120 },
    );
  });

  it('numbers a selection by its own order', () => {
    const payload = hex('0123456789ABCDEF');
    expect(decoded(worked, payload, [3, 0])).toEqual([61389n, 560n]);
  });

  it('agrees on every selection of signals that depend on others', () => {
    fc.assert(
      fc.property(
        arbitraryMuxMessage.chain((message) =>
          fc.tuple(
            fc.constant(message),
            fc.shuffledSubarray([...message.signals.keys()], { minLength: 1 }),
          ),
        ),
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        ([message, selection], payload) => {
          const all = referenceDecode(message, payload);
          expect(decoded(message, payload, selection)).toEqual(selection.map((at) => all[at]));
        },
      ),
      { seed: 23, numRuns: 100 },
    );
  });

  it('leaves out signals that the payload is too short for', () => {
    const payload = hex('0123456789ABCDEF');
    expect(decoded(worked, payload.subarray(0, 7))).toEqual([560n, 1110n, 427n, null]);
    expect(decoded(worked, payload.subarray(0, 2))).toEqual([560n, null, null, null]);
    expect(decoded(worked, payload.subarray(0, 0))).toEqual([null, null, null, null]);
  });

  it('forgets the presence of the frame before', () => {
    const { decode, newValues } = compileDecoder(worked);
    const values = newValues();
    decode(viewOf(hex('0123456789ABCDEF')), 0, 8, values);
    decode(viewOf(hex('0123')), 0, 2, values);
    expect([0, 1, 2, 3].map((number) => values.has(number))).toEqual([true, false, false, false]);
  });

  it('reads messages of more signals than one function takes', () => {
    const signals = Array.from({ length: 512 }, (_, bit) =>
      aSignal({ name: `Bit${bit}`, startBit: bit, length: 1 }),
    );
    const payload = Uint8Array.from({ length: 64 }, (_, at) => (at * 37) & 0xff);
    const message = aMessage(signals, 64);
    expect(decoded(message, payload)).toEqual(referenceDecode(message, payload));
    const short = payload.subarray(0, 33);
    expect(decoded(message, short)).toEqual(referenceDecode(message, short));
  });

  it('keeps integers of 64 bits exact', () => {
    const wide = { startBit: 0, length: 64 };
    const message = aMessage([aSignal(wide), aSignal({ ...wide, kind: 'signed' })]);
    expect(decoded(message, hex('FFFFFFFFFFFFFFFF'))).toEqual([2n ** 64n - 1n, -1n]);
    expect(decoded(message, hex('0100000000000080'))).toEqual([2n ** 63n + 1n, -(2n ** 63n) + 1n]);
  });

  it('refuses signals that no payload can hold, by name', () => {
    const refusal = (given: Partial<Signal>) => () => compileDecoder(aMessage([aSignal(given)]));
    const named = expect.objectContaining({ code: 'invalid_argument', details: expect.anything() });
    expect(refusal({ length: 0 })).toThrow(named);
    expect(refusal({ length: 513 })).toThrow('Speed must have 1 to 512 bits');
    expect(refusal({ kind: 'float32', length: 16 })).toThrow('Speed is float32');
    expect(refusal({ startBit: -1 })).toThrow('Speed has an invalid start bit');
    expect(refusal({ startBit: 0.5 })).toThrow('Speed has an invalid start bit');
  });

  it('refuses selections of what is not there or is there already', () => {
    expect(() => compileDecoder(worked, [4])).toThrow('Engine has no signal at 4');
    expect(() => compileDecoder(worked, [1, 1])).toThrow('selected twice');
  });
});

describe('compilePhysicalDecoder', () => {
  it('gives raw × factor + offset of every signal that is there', () => {
    fc.assert(
      fc.property(arbitraryMessage(10), arbitraryPayload, (plain, payload) => {
        const signals = plain.signals.map((one) => ({ ...one, factor: '-0.25', offset: '3' }));
        const message = { ...plain, signals };
        const values = new Float64Array(signals.length);
        const present = new Uint32Array(1);
        compilePhysicalDecoder(message).decode(viewOf(payload), 0, payload.length, values, present);
        for (const [number, raw] of referenceDecode(message, payload).entries()) {
          expect(((present[0] ?? 0) >>> number) & 1).toBe(raw === null ? 0 : 1);
          if (raw === null) continue;
          const expected = Number(raw) * -0.25 + 3;
          const found = values[number] ?? 0;
          // Beyond 64 bits the words are added as doubles, with a rounding each time.
          const isLong = (signals[number]?.length ?? 0) > 64;
          if (isLong) expect(Math.abs(found / expected - 1)).toBeLessThan(1e-14);
          else expect(found).toBe(expected);
        }
      }),
      { seed: 24, numRuns: 100 },
    );
  });

  it('refuses factors that are no numbers', () => {
    const signal = aSignal({ factor: '1); process.exit(1' });
    expect(() => compilePhysicalDecoder(aMessage([signal]))).toThrow(
      'Speed.factor must be a decimal',
    );
  });
});
