import fc from 'fast-check';

const word = fc
  .integer({ min: 0, max: 0xffff })
  .map((value) => [value >> 8, value & 0xff] as const);

const words = (count: number): fc.Arbitrary<number[]> =>
  fc.array(word, { minLength: count, maxLength: count }).map((pairs) => pairs.flat());

const pdu = (...parts: readonly fc.Arbitrary<readonly number[]>[]): fc.Arbitrary<Uint8Array> =>
  fc.tuple(...parts).map((lists) => Uint8Array.from(lists.flat()));

const code = (...codes: readonly number[]): fc.Arbitrary<number[]> =>
  fc.constantFrom(...codes).map((one) => [one]);

/** A byte count and that many bytes. */
const data = (maxLength: number, size = 1): fc.Arbitrary<number[]> =>
  fc
    .array(fc.array(fc.nat(255), { minLength: size, maxLength: size }), {
      minLength: 1,
      maxLength: maxLength / size,
    })
    .map((items) => [items.length * size, ...items.flat()]);

/** Well-formed requests with arbitrary numbers. */
export const arbitraryRequest: fc.Arbitrary<Uint8Array> = fc.oneof(
  pdu(code(1, 2, 3, 4, 5, 6), words(2)),
  pdu(code(0x0f), words(2), data(246)),
  pdu(code(0x10), words(2), data(246, 2)),
  pdu(code(0x16), words(3)),
  pdu(code(0x17), words(4), data(242, 2)),
  pdu(fc.constant([0x2b, 0x0e]), word),
);

const identityObject = fc
  .array(fc.nat(255), { maxLength: 40 })
  .map((text) => [1, text.length, ...text]);

/** Well-formed responses with arbitrary numbers. */
export const arbitraryResponse: fc.Arbitrary<Uint8Array> = fc.oneof(
  pdu(code(1, 2), data(250)),
  pdu(code(3, 4, 0x17), data(250, 2)),
  pdu(code(5, 6, 0x0f, 0x10), words(2)),
  pdu(code(0x16), words(3)),
  pdu(
    fc.constant([0x2b, 0x0e, 1, 0x81, 0, 0]),
    fc.array(identityObject, { maxLength: 5 }).map((items) => [items.length, ...items.flat()]),
  ),
  pdu(code(0x81, 0x83, 0x90, 0xab), code(1, 2, 3, 4)),
);
