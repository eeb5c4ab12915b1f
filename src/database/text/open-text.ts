import { decodeText, type TextEncoding } from './encoding.ts';
import { type FileLimits, FileProblems } from './problems.ts';

export interface OpenText {
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly problems: FileProblems;
}

/** Decodes the bytes of a file. Rejects one that is too large or binary. */
export const openText = (
  format: string,
  bytes: Uint8Array,
  limits: FileLimits,
  known?: TextEncoding,
): OpenText => {
  if (bytes.length > limits.fileBytes) {
    new FileProblems(format, '', limits).refuse(0, `it has more than ${limits.fileBytes} bytes`);
  }
  const { text, encoding } = decodeText(bytes, known);
  const problems = new FileProblems(format, text, limits);
  // Text contains no NUL, except where a tool padded the end of the file.
  const first = text.indexOf('\0');
  if (first >= 0 && !/^[\0\s]*$/.test(text.slice(first))) {
    problems.refuse(first, 'it is not a text file');
  }
  return { text, encoding, problems };
};
