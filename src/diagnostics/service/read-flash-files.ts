import { BusbarError } from '../../base/errors/busbar-error.ts';
import { readFlashSequence } from '../flash-sequence.ts';
import { maxImageFile } from '../image.ts';
import { readImage } from '../read-image.ts';
import type { FlashFiles, FlashRequest } from './flash-run.ts';
import { readProjectBytes } from './read-payload.ts';

const maxSequenceBytes = 4 * 1024 * 1024;

/** Parses one of two files, so that an error says which one it is. */
const parsed = <Content>(field: string, path: string, parse: () => Content): Content => {
  try {
    return parse();
  } catch (thrown) {
    const { code, message, details } = BusbarError.from(thrown);
    if (code !== 'invalid_diagnostics_file') throw thrown;
    throw new BusbarError(code, {
      message: `${path}: ${message}`,
      details: { field, path, ...details },
      cause: thrown,
    });
  }
};

/** Reads and parses the files of a flash job. */
export const readFlashFiles = (
  projectRoot: string,
  { file, sequence, address }: FlashRequest,
): FlashFiles => ({
  sequence: parsed('sequence', sequence, () =>
    readFlashSequence(readProjectBytes(projectRoot, sequence, maxSequenceBytes, 'sequence')),
  ),
  image: parsed('file', file, () =>
    readImage(file, readProjectBytes(projectRoot, file, maxImageFile), address),
  ),
});
