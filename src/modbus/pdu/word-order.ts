/**
 * Byte order of a value in several registers, named by the positions of the bytes A B C D of a
 * big-endian value. Each register is sent high byte first. 0x0A0B0C0D in two registers:
 *
 * ```
 *          register n   register n+1
 *          high  low    high  low
 *  ABCD     0A   0B      0C   0D     big-endian
 *  CDAB     0C   0D      0A   0B     words swapped
 *  BADC     0B   0A      0D   0C     bytes of each word swapped
 *  DCBA     0D   0C      0B   0A     little-endian
 * ```
 *
 * Values of four registers: ABCDEFGH, GHEFCDAB, BADCFEHG and HGFEDCBA.
 */
export const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const;
export type WordOrder = (typeof wordOrders)[number];

const reversesWords = (order: WordOrder): boolean => order === 'CDAB' || order === 'DCBA';
const swapsBytes = (order: WordOrder): boolean => order === 'BADC' || order === 'DCBA';

export const toBigEndian = (
  registers: Uint16Array,
  at: number,
  words: number,
  order: WordOrder,
  into: DataView,
): void => {
  const reversed = reversesWords(order);
  const swapped = swapsBytes(order);
  for (let i = 0; i < words; i++) {
    const register = registers[at + (reversed ? words - 1 - i : i)] as number;
    into.setUint16(2 * i, register, swapped);
  }
};

export const fromBigEndian = (
  from: DataView,
  words: number,
  order: WordOrder,
  registers: Uint16Array,
  at: number,
): void => {
  const reversed = reversesWords(order);
  const swapped = swapsBytes(order);
  for (let i = 0; i < words; i++) {
    registers[at + (reversed ? words - 1 - i : i)] = from.getUint16(2 * i, swapped);
  }
};

export const byteOrder = (words: number, order: WordOrder): number[] =>
  Array.from({ length: 2 * words }, (_, byte) => {
    const word = byte >> 1;
    const onWire = reversesWords(order) ? words - 1 - word : word;
    return 2 * onWire + (swapsBytes(order) ? 1 - (byte & 1) : byte & 1);
  });
