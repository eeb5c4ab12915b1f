import fc from 'fast-check';
import type { Message, RawKind, Signal } from '../../database/model.ts';
import { aMessage, aSignal } from './models.ts';

const shape: fc.Arbitrary<{ kind: RawKind; length: number }> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom<RawKind>('unsigned', 'signed'),
      length: fc.oneof(
        fc.integer({ min: 1, max: 64 }),
        fc.constantFrom(1, 8, 16, 31, 32, 33, 52, 53, 54, 63, 64),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom<RawKind>('unsigned', 'signed'),
      length: fc.integer({ min: 65, max: 512 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'float32' as const, length: 32 }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'float64' as const, length: 64 }) },
);

/** Signals of every shape, anywhere in 64 bytes or slightly beyond, possibly overlapping. */
export const arbitrarySignal: fc.Arbitrary<Signal> = fc
  .record({
    shape,
    byteOrder: fc.constantFrom('intel' as const, 'motorola' as const),
    startBit: fc.oneof(fc.integer({ min: 0, max: 63 }), fc.integer({ min: 0, max: 520 })),
  })
  .map(({ shape, byteOrder, startBit }) => aSignal({ ...shape, byteOrder, startBit }));

/** Messages without multiplexing, with up to this many signals. */
export const arbitraryMessage = (max: number): fc.Arbitrary<Message> =>
  fc.array(arbitrarySignal, { minLength: 1, maxLength: max }).map((signals) =>
    aMessage(
      signals.map((signal, at) => ({ ...signal, name: `S${at}` })),
      64,
    ),
  );

/** Payloads of every length, with bytes that show signs and carries. */
export const arbitraryPayload: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.uint8Array({ minLength: 64, maxLength: 64 }),
  fc.constantFrom(0x00, 0xff, 0x80, 0x01, 0x7f).map((byte) => new Uint8Array(64).fill(byte)),
);

const small = fc.integer({ min: 0, max: 7 });
const ranges = fc.array(
  fc.tuple(small, small).map(([one, other]) => ({
    from: BigInt(Math.min(one, other)),
    to: BigInt(Math.max(one, other)),
  })),
  { minLength: 1, maxLength: 3 },
);

/** Messages in which most signals depend on an earlier one, to any depth. */
export const arbitraryMuxMessage: fc.Arbitrary<Message> = fc
  .array(
    fc.record({
      parent: fc.integer({ min: -1, max: 11 }),
      ranges,
      startBit: fc.integer({ min: 0, max: 63 }),
      length: fc.integer({ min: 1, max: 3 }),
      byteOrder: fc.constantFrom('intel' as const, 'motorola' as const),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .map((entries) =>
    aMessage(
      entries.map(({ parent, ranges, ...rest }, at) =>
        aSignal({
          ...rest,
          name: `S${at}`,
          multiplexing: parent < 0 || at === 0 ? null : { switch: `S${parent % at}`, ranges },
        }),
      ),
    ),
  );
