import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../database/model.ts';
import { compileDecoder } from './compile-decoder.ts';
import { compileEncoder } from './compile-encoder.ts';
import {
  arbitraryMessage,
  arbitraryMuxMessage,
  arbitraryPayload,
  arbitrarySignal,
} from './testing/arbitrary-message.ts';
import { aMessage, aSignal, viewOf, when } from './testing/models.ts';
import { referenceEncode, referencePattern, referenceRaw } from './testing/reference-codec.ts';

const decodeAll = (message: Message, payload: Uint8Array) => {
  const { decode, newValues } = compileDecoder(message);
  const values = newValues();
  decode(viewOf(payload), 0, payload.length, values);
  return values;
};

const listOf = (message: Message, payload: Uint8Array) => {
  const values = decodeAll(message, payload);
  return message.signals.map((_, number) => values.get(number));
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A 32-bit signalling NaN is encoded as a quiet one: doubles cannot represent it. */
const hasNoNaN = ({ signals }: Message, payload: Uint8Array): boolean =>
  signals.every(
    (signal) =>
      signal.kind !== 'float32' ||
      !Number.isNaN(referenceRaw(signal, referencePattern(signal, payload))),
  );

describe('compileEncoder', () => {
  it('writes what was decoded back over itself without a change', () => {
    fc.assert(
      fc.property(arbitraryMessage(12), arbitraryPayload, (message, payload) => {
        fc.pre(hasNoNaN(message, payload));
        const copy = payload.slice();
        compileEncoder(message).encode(decodeAll(message, payload), viewOf(copy), 0, copy.length);
        expect(hexOf(copy)).toBe(hexOf(payload));
      }),
      { seed: 31, numRuns: 80 },
    );
  });

  it('writes what decodes to the same raw values, whatever the buffer held', () => {
    fc.assert(
      fc.property(
        arbitraryMuxMessage,
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        fc.constantFrom(0x00, 0xff, 0x5a),
        (message, payload, filler) => {
          const copy = new Uint8Array(8).fill(filler);
          const wanted = decodeAll(message, payload);
          compileEncoder(message).encode(wanted, viewOf(copy), 0, copy.length);
          expect(listOf(message, copy)).toEqual(listOf(message, payload));
        },
      ),
      { seed: 32, numRuns: 80 },
    );
  });

  it('touches the bits of the signal alone', () => {
    fc.assert(
      fc.property(
        arbitrarySignal,
        fc.uint8Array({ minLength: 130, maxLength: 130 }),
        fc.uint8Array({ minLength: 130, maxLength: 130 }),
        (signal, source, target) => {
          const message = aMessage([signal], 130);
          fc.pre(hasNoNaN(message, source));
          const expected = referenceEncode(signal, referencePattern(signal, source), target);
          compileEncoder(message).encode(
            decodeAll(message, source),
            viewOf(target),
            0,
            target.length,
          );
          expect(hexOf(target)).toBe(hexOf(expected));
        },
      ),
      { seed: 33, numRuns: 150 },
    );
  });

  const muxed = aMessage([
    aSignal({ name: 'Mode', isSwitch: true }),
    aSignal({ name: 'Torque', startBit: 8, multiplexing: when('Mode', 1) }),
    aSignal({ name: 'Current', startBit: 8, multiplexing: when('Mode', 2) }),
  ]);

  it('writes only the signals that go with the switch it writes', () => {
    const { encode, newValues, written } = compileEncoder(muxed);
    const values = newValues();
    values.set(0, 2);
    values.set(1, 0x11);
    values.set(2, 0x22);
    const payload = Uint8Array.of(1, 0xff);
    encode(values, viewOf(payload), 0, 2);
    expect([...payload]).toEqual([2, 0x22]);
    expect(written[0]).toBe(0b101);
  });

  it('goes by the switch in the payload when it is not given another', () => {
    const { encode, newValues, written } = compileEncoder(muxed, [1, 2]);
    const values = newValues();
    values.set(0, 0x11);
    values.set(1, 0x22);
    const payload = Uint8Array.of(1, 0xff);
    encode(values, viewOf(payload), 0, 2);
    expect([...payload]).toEqual([1, 0x11]);
    expect(written[0]).toBe(0b01);
  });

  it('writes nothing that has no value or does not fit', () => {
    const { encode, newValues, written } = compileEncoder(muxed);
    const values = newValues();
    values.set(1, 0x11);
    const payload = Uint8Array.of(9, 1, 0xff);
    encode(values, viewOf(payload), 1, 1);
    expect([...payload]).toEqual([9, 1, 0xff]);
    expect(written[0]).toBe(0);
    values.clear();
    encode(values, viewOf(payload), 1, 2);
    expect([...payload]).toEqual([9, 1, 0xff]);
  });

  it('keeps every bit of a double that is no number', () => {
    const message = aMessage([aSignal({ kind: 'float64', length: 64 })]);
    const payload = Uint8Array.of(1, 2, 3, 4, 5, 6, 0xf7, 0x7f);
    const copy = new Uint8Array(8);
    compileEncoder(message).encode(decodeAll(message, payload), viewOf(copy), 0, 8);
    expect(hexOf(copy)).toBe(hexOf(payload));
  });
});
