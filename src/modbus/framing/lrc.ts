/** The checksum of ASCII frames: what makes the sum of all bytes 0. */
export const lrc = (bytes: Uint8Array, at: number, end: number): number => {
  let sum = 0;
  for (let i = at; i < end; i++) sum += bytes[i] as number;
  return -sum & 0xff;
};
