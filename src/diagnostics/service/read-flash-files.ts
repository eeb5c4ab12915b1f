import { inFile } from '../diagnostics-file.ts';
import { readFlashSequence } from '../flash-sequence.ts';
import { maxImageFile } from '../image.ts';
import { readImage } from '../read-image.ts';
import type { FlashFiles, FlashRequest } from './flash-run.ts';
import { readProjectBytes } from './read-payload.ts';

const maxSequenceBytes = 4 * 1024 * 1024;

/** Reads and parses the files of a flash job. */
export const readFlashFiles = (
  projectRoot: string,
  { file, sequence, address }: FlashRequest,
): FlashFiles => ({
  sequence: inFile('sequence', sequence, () =>
    readFlashSequence(readProjectBytes(projectRoot, sequence, maxSequenceBytes, 'sequence')),
  ),
  image: inFile('file', file, () =>
    readImage(file, readProjectBytes(projectRoot, file, maxImageFile), address),
  ),
});
