/**
 * Packed bits, as on the wire: eight per byte, lowest bit first. Indices count bits from the
 * first byte. Ten coils from 20 on:
 *
 * ```
 *            byte 0                      byte 1
 *  bit       7  6  5  4  3  2  1  0      7  6  5  4  3  2  1  0
 *  index     7  6  5  4  3  2  1  0      –  –  –  –  –  –  9  8
 *  coil     27 26 25 24 23 22 21 20      –  –  –  –  –  – 29 28
 * ```
 */

export const packedLength = (count: number): number => (count + 7) >> 3;

export const bitAt = (bytes: Uint8Array, index: number): boolean =>
  (((bytes[index >> 3] as number) >> (index & 7)) & 1) === 1;

export const putBit = (into: Uint8Array, index: number, on: boolean): void => {
  const mask = 1 << (index & 7);
  const byte = into[index >> 3] as number;
  into[index >> 3] = on ? byte | mask : byte & ~mask;
};

/**
 * Moves bits from any position to the start of a byte, as in a response, and clears the unused
 * bits of the last byte. Returns the number of bytes written.
 */
export const alignBits = (
  from: Uint8Array,
  firstBit: number,
  count: number,
  into: Uint8Array,
  at: number,
): number => {
  const length = packedLength(count);
  const shift = firstBit & 7;
  const source = firstBit >> 3;
  for (let i = 0; i < length; i++) {
    const low = from[source + i] as number;
    const high = from[source + i + 1] ?? 0;
    into[at + i] = (low | (high << 8)) >> shift;
  }
  const used = count & 7;
  if (used !== 0) into[at + length - 1] = (into[at + length - 1] as number) & ((1 << used) - 1);
  return length;
};

/** Moves bits from the start of a byte, as in a write request, to any position. */
export const placeBits = (
  from: Uint8Array,
  at: number,
  count: number,
  into: Uint8Array,
  firstBit: number,
): void => {
  for (let i = 0; i < count; i++) putBit(into, firstBit + i, bitAt(from, 8 * at + i));
};

export const packBits = (bits: readonly boolean[]): Uint8Array => {
  const packed = new Uint8Array(packedLength(bits.length));
  bits.forEach((on, index) => {
    if (on) putBit(packed, index, true);
  });
  return packed;
};
