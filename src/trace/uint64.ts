const twoTo32 = 0x1_0000_0000;

export const getUint64 = (view: DataView, at: number): number =>
  view.getUint32(at + 4, true) * twoTo32 + view.getUint32(at, true);

/**
 * Writes a time in nanoseconds. Beyond 2^53 a number is exact only to the microsecond, so
 * microseconds are written, followed by zeros.
 */
export const setTimeNs = (view: DataView, at: number, timeNs: number): void => {
  if (timeNs <= Number.MAX_SAFE_INTEGER) setUint64(view, at, timeNs);
  else view.setBigUint64(at, BigInt(Math.round(timeNs / 1000)) * 1000n, true);
};

export const setUint64 = (view: DataView, at: number, value: number): void => {
  view.setUint32(at, value, true);
  view.setUint32(at + 4, value / twoTo32, true);
};
