import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errnoOf } from '../../base/errors/errno-of.ts';

export interface LogDestination {
  readonly name: string;
  write(record: string): boolean;
  /**
   * Reopens the file by name after it was renamed or removed. On failure it throws and keeps
   * the old file. Has no effect on standard error.
   */
  reopen(): void;
  close(): void;
}

export type WriteBytes = (fd: number, bytes: Buffer, offset: number, length: number) => number;

interface OpenOptions {
  readonly write?: WriteBytes;
}

const stderrFd = 2;
/** After this number of consecutive refused writes, the reader of a pipe counts as hung. */
const maxRefusals = 64;
const nothing = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'its directory does not exist',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'part of the path is not a directory',
  ENXIO: 'no process reads from the pipe',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

class DescriptorDestination implements LogDestination {
  readonly name: string;
  #fd: number;
  readonly #writeBytes: WriteBytes;
  #line = nothing;
  /** Unwritten end of a partial record. It is written first to complete its line. */
  #rest = nothing;
  #closed = false;

  constructor(name: string, fd: number, writeBytes: WriteBytes) {
    this.name = name;
    this.#fd = fd;
    this.#writeBytes = writeBytes;
  }

  write(record: string): boolean {
    if (this.#closed || !this.#drain()) return false;
    this.#line = Buffer.from(`${record}\n`, 'utf8');
    this.#rest = this.#line;
    if (this.#drain()) return true;
    if (this.#rest.length < this.#line.length) return true;
    this.#rest = nothing;
    return false;
  }

  reopen(): void {
    if (this.#closed || this.#fd === stderrFd) return;
    const fd = openForAppend(this.name);
    if (!this.#drain()) this.#rest = this.#line;
    this.#release();
    this.#fd = fd;
    this.endTornLine();
  }

  endTornLine(): void {
    if (!endsInsideLine(this.name, this.#fd)) return;
    this.#rest = Buffer.concat([lineEnd, this.#rest]);
    this.#drain();
  }

  close(): void {
    if (this.#closed) return;
    this.#drain();
    this.#closed = true;
    if (this.#fd !== stderrFd) this.#release();
  }

  #release(): void {
    try {
      fsyncSync(this.#fd);
    } catch {
      // Pipes and terminals cannot be synced, and a failing disk must not block shutdown.
    }
    closeSync(this.#fd);
  }

  #drain(): boolean {
    let refusals = 0;
    while (this.#rest.length > 0) {
      try {
        const written = this.#writeBytes(this.#fd, this.#rest, 0, this.#rest.length);
        if (written <= 0) return false;
        this.#rest = this.#rest.subarray(written);
        refusals = 0;
      } catch (thrown) {
        const errno = errnoOf(thrown) ?? 'unknown';
        const passing = errno === 'EAGAIN' || errno === 'EINTR';
        if (!passing || ++refusals >= maxRefusals) return false;
      }
    }
    return true;
  }
}

const endsInsideLine = (path: string, fd: number): boolean => {
  const stat = fstatSync(fd);
  if (!stat.isFile() || stat.size === 0) return false;
  let reader: number | undefined;
  try {
    reader = openSync(path, constants.O_RDONLY);
    const last = Buffer.alloc(1);
    return readSync(reader, last, 0, 1, stat.size - 1) === 1 && last[0] !== 0x0a;
  } catch {
    return false; // Appending may be allowed where reading is not.
  } finally {
    if (reader !== undefined) closeSync(reader);
  }
};

const openForAppend = (path: string): number => {
  const { O_APPEND, O_CREAT, O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;
  try {
    // O_NONBLOCK, because opening a pipe without a reader would block forever.
    return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, 0o600);
  } catch (cause) {
    const errno = errnoOf(cause) ?? 'unknown';
    const reason = reasons[errno] ?? errno;
    throw new BusbarError('file_unavailable', {
      message: `Cannot open the log file ${path}: ${reason}`,
      details: { field: 'log_file', path, reason },
      cause,
    });
  }
};

export const openLogDestination = (
  path: string | undefined,
  options: OpenOptions = {},
): LogDestination => {
  const write = options.write ?? writeSync;
  if (path === undefined) return new DescriptorDestination('stderr', stderrFd, write);
  const absolute = resolve(path);
  const destination = new DescriptorDestination(absolute, openForAppend(absolute), write);
  destination.endTornLine();
  return destination;
};
