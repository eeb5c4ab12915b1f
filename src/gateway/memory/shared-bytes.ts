/** Pieces one after another, in memory that all threads see. */
export const sharedBytes = (pieces: readonly Uint8Array[]): SharedArrayBuffer => {
  const buffer = new SharedArrayBuffer(pieces.reduce((sum, bytes) => sum + bytes.length, 0));
  const whole = new Uint8Array(buffer);
  let offset = 0;
  for (const bytes of pieces) {
    whole.set(bytes, offset);
    offset += bytes.length;
  }
  return buffer;
};
