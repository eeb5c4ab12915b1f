import { BusbarError } from '../base/errors/busbar-error.ts';
import { errnoOf } from '../base/files/path-refusals.ts';

/** Why nothing more can be put into a file, in words that stay the same on every system. */
const reasonWords: Readonly<Record<string, string>> = {
  ENOSPC: 'no_space',
  EDQUOT: 'quota_exceeded',
  EFBIG: 'too_large',
  EROFS: 'read_only',
  EIO: 'io_error',
  ESTALE: 'removed',
};

const messages: Readonly<Record<string, string>> = {
  no_space: 'There is no space left for the file',
  quota_exceeded: 'The file would exceed what its owner may store',
  too_large: 'The file would be larger than the system allows',
  read_only: 'The file can no longer be written to',
  io_error: 'The device that the file lies on has failed',
  removed: 'The file was removed or moved away',
  replaced: 'Another file was put in its place',
  truncated: 'Somebody else has shortened the file',
  stalled: 'The device that the file lies on does not answer',
};

/** What a failed system call means for the file. What is none is a defect, and thrown on. */
export const reasonOf = (thrown: unknown): string => {
  const errno = errnoOf(thrown);
  if (errno === undefined) throw thrown;
  return reasonWords[errno] ?? errno;
};

export const fileFailure = (file: string, reason: string): BusbarError =>
  new BusbarError('file_unavailable', {
    message: messages[reason] ?? 'The file cannot be written to',
    details: { field: 'file', path: file, reason },
  });
