import { BusbarError, type ErrorDetails, invalidArgument } from '../errors/busbar-error.ts';
import { errnoOf } from '../errors/errno-of.ts';

export interface NamedPath {
  readonly path: string;
  readonly field?: string | undefined;
}

/** Linux limit. It also bounds the number of directories that one path can hold open. */
const maxPathBytes = 4095;

const reasonWords: Readonly<Record<string, string>> = {
  EISDIR: 'not_a_file',
  ENOTDIR: 'not_a_directory',
  ENOSPC: 'no_space',
  EDQUOT: 'quota_exceeded',
  EFBIG: 'too_large',
  EROFS: 'read_only',
  EIO: 'io_error',
};

const reasonMessages: Readonly<Record<string, string>> = {
  no_space: 'No space left for the file',
  quota_exceeded: 'The disk quota is exceeded',
  too_large: 'The file would exceed the maximum file size',
  read_only: 'The file system is read-only',
  io_error: 'The storage device has failed',
};

export const reasonOfErrno = (errno: string): string => reasonWords[errno] ?? errno;

export const messageOfReason = (reason: string): string | undefined => reasonMessages[reason];

const explanations: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'part of the path is not a directory',
  ENXIO: 'there is no reader at the other end',
  EPERM: 'permission denied',
  not_a_directory: 'it is not a directory',
  not_a_file: 'it is not a file',
};

const detailsOf = ({ path, field }: NamedPath): ErrorDetails =>
  field === undefined ? { path } : { field, path };

export const outside = (named: NamedPath): BusbarError =>
  new BusbarError('path_outside_project', {
    message: `${named.path} is outside the project directory`,
    details: detailsOf(named),
  });

export const notFound = (named: NamedPath, cause?: unknown): BusbarError =>
  new BusbarError('file_not_found', {
    message: `${named.path} does not exist`,
    details: detailsOf(named),
    cause,
  });

export const directoryNotFound = (named: NamedPath, cause?: unknown): BusbarError =>
  new BusbarError('file_not_found', {
    message: `The directory of ${named.path} does not exist`,
    details: detailsOf(named),
    cause,
  });

export const alreadyExists = (named: NamedPath): BusbarError =>
  new BusbarError('already_exists', {
    message: `${named.path} already exists; set overwrite to replace it`,
    details: detailsOf(named),
  });

export const busyFile = (named: NamedPath, reason: string): BusbarError =>
  new BusbarError('busy', {
    message: `${named.path} was not written: ${reason}`,
    details: detailsOf(named),
    hint: 'Run the same command again.',
  });

const unavailableText = (path: string, reason: string): string => {
  const failure = messageOfReason(reason);
  if (failure !== undefined) return `${failure}: ${path}`;
  return `Cannot open ${path}: ${explanations[reason] ?? reason}`;
};

export const unavailable = (named: NamedPath, reason: string, cause?: unknown): BusbarError =>
  new BusbarError('file_unavailable', {
    message: unavailableText(named.path, reason),
    details: { ...detailsOf(named), reason },
    cause,
  });

export const refusalOf = (named: NamedPath, thrown: unknown): unknown => {
  if (thrown instanceof BusbarError) return thrown;
  const errno = errnoOf(thrown);
  if (errno === undefined) return thrown;
  if (errno === 'ENOENT') return notFound(named, thrown);
  return unavailable(named, reasonOfErrno(errno), thrown);
};

export const assertNameable = (named: NamedPath): void => {
  const field = named.field ?? 'path';
  if (named.path === '') throw invalidArgument(field, 'A path must not be empty');
  if (named.path.includes('\0')) throw invalidArgument(field, 'A path must not contain NUL');
  if (Buffer.byteLength(named.path) > maxPathBytes) throw unavailable(named, 'ENAMETOOLONG');
};

export const attempt = <T>(named: NamedPath, act: () => T): T => {
  try {
    return act();
  } catch (thrown) {
    throw refusalOf(named, thrown);
  }
};
