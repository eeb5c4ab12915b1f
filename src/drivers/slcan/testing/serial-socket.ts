import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Deferred } from '../../../base/deferred.ts';
import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { ByteLink } from '../../../base/serial/byte-link.ts';
import { openSerialPort } from '../../../base/serial/serial-port.ts';
import { PtyPair } from '../../../base/serial/testing/pty-pair.ts';

const settings = { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 } as const;

/** Pseudo-random numbers, the same in every run. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The device at the other end of the wire. */
export interface Peer {
  receive(bytes: Uint8Array): void;
}

/** A serial port to which peers are connected, under a permanent name. */
export class SerialSocket {
  readonly folder = mkdtempSync(join(tmpdir(), 'busbar-slcan-'));
  readonly path = join(this.folder, 'port');
  readonly #random: () => number;
  #pair: PtyPair | undefined;
  #link: ByteLink | undefined;
  #peer: Peer | undefined;
  #queued = '';
  #isSending = false;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Everything the peer sent is in transit. */
  get isIdle(): boolean {
    return !this.#isSending;
  }

  /** Data of the peer arrives in pieces of any length. */
  readonly say = (text: string): void => {
    this.#queued += text;
    if (!this.#isSending) this.#sendPiece();
  };

  async plug(peer: Peer): Promise<void> {
    const pair = await PtyPair.create();
    const opened = new Deferred<void>();
    this.#peer = peer;
    this.#pair = pair;
    this.#queued = '';
    this.#link = openSerialPort(
      { path: pair.other, settings },
      {
        opened: () => opened.resolve(),
        bytes: (bytes) => this.#hear(bytes),
        closed: (error) => opened.reject(error),
      },
      (path, reason) => new BusbarError('hardware_error', { details: { path, reason } }),
    );
    await opened.promise;
    symlinkSync(pair.one, this.path);
  }

  async pull(): Promise<void> {
    rmSync(this.path, { force: true });
    this.#link?.close();
    this.#link = undefined;
    this.#peer = undefined;
    await this.#pair?.remove();
    this.#pair = undefined;
  }

  async remove(): Promise<void> {
    await this.pull();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #hear(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + Math.floor(this.#random() * 12);
      this.#peer?.receive(bytes.subarray(at, at + length));
      at += length;
    }
  }

  #sendPiece(): void {
    const length = 1 + Math.floor(this.#random() * 40);
    const piece = this.#queued.slice(0, length);
    this.#queued = this.#queued.slice(length);
    this.#isSending = piece !== '' && this.#link !== undefined;
    if (!this.#isSending) return;
    this.#link?.write(Buffer.from(piece, 'latin1'));
    void nextTurn().then(() => this.#sendPiece());
  }
}
