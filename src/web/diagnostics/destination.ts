import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errnoOf } from '../../base/errors/errno-of.ts';

/** Where diagnostic records go. */
export interface LogDestination {
  /** `stderr`, or the absolute path of the file. */
  readonly name: string;
  /** Writes one record as one line; false, and nothing thrown, if it could not be. */
  write(record: string): boolean;
  /**
   * Opens a file anew under its name, for one that was renamed or removed. Where that fails it
   * throws, and goes on with the file that it has. Standard error stays what it is.
   */
  reopen(): void;
  /** Brings a file to the disk and closes it; later writes answer false. */
  close(): void;
}

/** The part of `fs.writeSync` that a destination needs. */
export type WriteBytes = (fd: number, bytes: Buffer, offset: number, length: number) => number;

interface OpenOptions {
  readonly write?: WriteBytes;
}

const stderrFd = 2;
/** A pipe that takes nothing for this many tries in a row has a reader that does not read. */
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
  /** The record that is being written. */
  #line = nothing;
  /** Its rest, where it is on the disk in part: that goes first, or the line stays torn. */
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
    // One that was begun is completed by the next write, so it counts as written.
    if (this.#rest.length < this.#line.length) return true;
    this.#rest = nothing;
    return false;
  }

  reopen(): void {
    if (this.#closed || this.#fd === stderrFd) return;
    const fd = openForAppend(this.name);
    // What the old file does not take to its end is whole in the new one.
    if (!this.#drain()) this.#rest = this.#line;
    this.#release();
    this.#fd = fd;
    this.endTornLine();
  }

  /** A file whose last line lacks its end gets that before the next record. */
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
      // Pipes and terminals cannot be synchronised, and a failing disk must not keep a stop from ending.
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

/** Whether the file's last line lacks its end, so that a record would be glued to it. */
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
    // Not blocking, because opening a pipe without a reader would otherwise never return.
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

/**
 * Opens the file for appending, or stderr when no path is given. A file that cannot be opened is an
 * error, never a reason to log somewhere else. A relative path counts from the working directory.
 */
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
