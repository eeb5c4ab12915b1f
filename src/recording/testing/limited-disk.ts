import { type FileCalls, systemCalls } from '../recording-file.ts';

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

/** A disk with a limited number of bytes; it writes as much as fits, as file systems do. */
export class LimitedDisk implements FileCalls {
  room: number;
  /** Error of a full disk. */
  code = 'ENOSPC';
  /** Error of every call, including truncation. */
  isBroken = false;

  constructor(room: number) {
    this.room = room;
  }

  write(fd: number, bytes: Uint8Array, offset: number, position: number): number {
    const left = Math.min(this.room - position, bytes.length - offset);
    if (this.isBroken || left <= 0) throw systemError(this.code);
    return systemCalls.write(fd, bytes.subarray(0, offset + left), offset, position);
  }

  truncate(fd: number, size: number): void {
    if (this.isBroken) throw systemError(this.code);
    systemCalls.truncate(fd, size);
  }

  /** Files of tests need not survive a power cut. */
  sync(_fd: number): void {
    if (this.isBroken) throw systemError(this.code);
  }

  syncLater(fd: number, done: (error: Error | null) => void): void {
    try {
      this.sync(fd);
      done(null);
    } catch (thrown) {
      done(thrown as Error);
    }
  }
}
