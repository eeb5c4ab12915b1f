import { putMarked } from '../marked-bytes.ts';

export const withMarks = (bytes: Uint8Array): Uint8Array => {
  const marked = new Uint8Array(2 * bytes.length);
  return marked.subarray(0, putMarked(marked, bytes, bytes.length));
};
