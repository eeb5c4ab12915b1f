import { BusbarError } from '../base/errors/busbar-error.ts';
import { errnoOf } from '../base/errors/errno-of.ts';
import { messageOfReason, reasonOfErrno } from '../base/files/path-refusals.ts';

const messages: Readonly<Record<string, string>> = {
  removed: 'The file was removed or moved',
  replaced: 'The file was replaced',
  truncated: 'The file was truncated by another program',
  stalled: 'The storage device does not respond',
};

/** Returns the reason of a failed system call; rethrows other errors. */
export const reasonOf = (thrown: unknown): string => {
  const errno = errnoOf(thrown);
  if (errno === undefined) throw thrown;
  return errno === 'ESTALE' ? 'removed' : reasonOfErrno(errno);
};

export const fileFailure = (file: string, reason: string): BusbarError =>
  new BusbarError('file_unavailable', {
    message: `${messages[reason] ?? messageOfReason(reason) ?? 'Cannot write the file'}: ${file}`,
    details: { field: 'file', path: file, reason },
  });
