/** Texts one after another as UTF-8, in memory that all threads see. */
export const sharedText = (pieces: Iterable<string>): SharedArrayBuffer => {
  const encoder = new TextEncoder();
  const encoded = Array.from(pieces, (piece) => encoder.encode(piece));
  const buffer = new SharedArrayBuffer(encoded.reduce((sum, bytes) => sum + bytes.length, 0));
  const whole = new Uint8Array(buffer);
  let offset = 0;
  for (const bytes of encoded) {
    whole.set(bytes, offset);
    offset += bytes.length;
  }
  return buffer;
};
