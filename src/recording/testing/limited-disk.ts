import { type FileCalls, systemCalls } from '../recording-file.ts';

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

/** A disk with room for so many bytes, which writes as much as fits, as file systems do. */
export class LimitedDisk implements FileCalls {
  room: number;
  /** What it fails with once it is full. */
  code = 'ENOSPC';
  /** Set where it fails on everything, cutting included. */
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

  sync(fd: number): void {
    if (this.isBroken) throw systemError(this.code);
    systemCalls.sync(fd);
  }
}
