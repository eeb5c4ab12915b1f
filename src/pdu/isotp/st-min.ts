/** ISO 15765-2, 9.6.5.4: a sender takes the largest value for a reserved one. */
const reservedUs = 127_000;

export const isReservedStMin = (raw: number): boolean => (raw > 0x7f && raw < 0xf1) || raw > 0xf9;

/** Minimum gap between consecutive frames that a flow control's byte asks for. */
export const stMinUs = (raw: number): number => {
  if (raw <= 0x7f) return raw * 1000;
  return isReservedStMin(raw) ? reservedUs : (raw - 0xf0) * 100;
};

/** The byte of the next gap that is not shorter, at most 127 ms. */
export const stMinByte = (us: number): number => {
  if (us <= 0) return 0;
  if (us <= 900) return 0xf0 + Math.ceil(us / 100);
  return Math.min(0x7f, Math.ceil(us / 1000));
};
