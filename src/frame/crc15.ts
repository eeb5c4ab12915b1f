/** The CRC of classic CAN, a byte at a time: polynomial 0x4599, 15 bits, from 0. */
const polynomial = 0x4599;

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 7;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 0x4000 ? (crc << 1) ^ polynomial : crc << 1;
  }
  return crc & 0x7fff;
});

export const crc15Byte = (crc: number, byte: number): number =>
  ((crc << 8) & 0x7fff) ^ (table[((crc >> 7) ^ byte) & 0xff] as number);

/** The CRC after 32 more bits, the highest first. */
export const crc15Word = (crc: number, word: number): number =>
  crc15Byte(crc15Byte(crc15Byte(crc15Byte(crc, word >> 24), word >> 16), word >> 8), word);
