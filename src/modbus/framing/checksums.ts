const polynomial = 0xa001;

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
  return crc;
});

/** CRC of RTU frames, sent low byte first. It is 0 over a frame including its CRC. */
export const crc16 = (bytes: Uint8Array, at: number, end: number): number => {
  let crc = 0xffff;
  for (let i = at; i < end; i++) {
    crc = (crc >> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number);
  }
  return crc;
};

/** LRC of ASCII frames: makes the sum of all bytes 0. */
export const lrc = (bytes: Uint8Array, at: number, end: number): number => {
  let sum = 0;
  for (let i = at; i < end; i++) sum += bytes[i] as number;
  return -sum & 0xff;
};
