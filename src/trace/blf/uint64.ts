const twoTo32 = 0x1_0000_0000;

/** A little-endian 64-bit integer; exact below 2^53. */
export const getUint64 = (view: DataView, at: number): number =>
  view.getUint32(at + 4, true) * twoTo32 + view.getUint32(at, true);

export const setUint64 = (view: DataView, at: number, value: number): void => {
  view.setUint32(at, value, true);
  view.setUint32(at + 4, value / twoTo32, true);
};
