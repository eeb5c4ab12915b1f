import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deferred } from '../../../base/deferred.ts';
import type { ByteLink } from '../../../base/serial/byte-link.ts';
import { openSerialPort } from '../../../base/serial/serial-port.ts';
import { PtyPair } from '../../../base/serial/testing/pty-pair.ts';
import { serialFailure } from '../../serial-device/serial-failure.ts';
import type { WireEnd } from './emulated-wire.ts';

const settings = { baudRate: 19_200, dataBits: 8, parity: 'none', stopBits: 1 } as const;

/** A serial port connected to an emulated wire, under a permanent name. */
export class WireSocket {
  readonly folder = mkdtempSync(join(tmpdir(), 'busbar-lin-'));
  readonly path = join(this.folder, 'port');
  readonly end: WireEnd;
  /** Raw bytes in each direction. */
  toNode = 0;
  fromNode = 0;
  /** The terminal to which the name is linked. */
  terminal = '';
  readonly #onHeard: () => void;
  #pair: PtyPair | undefined;
  #link: ByteLink | undefined;

  constructor(end: WireEnd, onHeard: () => void = () => undefined) {
    this.end = end;
    this.#onHeard = onHeard;
  }

  get isPlugged(): boolean {
    return this.#link !== undefined;
  }

  async plug(): Promise<void> {
    const pair = await PtyPair.create();
    const opened = new Deferred<void>();
    const link = openSerialPort(
      { path: pair.other, settings },
      {
        opened: () => opened.resolve(),
        bytes: (bytes) => {
          this.fromNode += bytes.length;
          this.end.received(bytes);
          this.#onHeard();
        },
        closed: (error) => opened.reject(error),
      },
      serialFailure,
    );
    await opened.promise;
    this.#pair = pair;
    this.#link = link;
    this.terminal = realpathSync(pair.one);
    this.toNode = 0;
    this.fromNode = 0;
    symlinkSync(pair.one, this.path);
  }

  /** Sends raw bytes to the node. */
  write(bytes: Uint8Array): void {
    this.toNode += bytes.length;
    this.#link?.write(bytes);
  }

  async pull(): Promise<void> {
    rmSync(this.path, { force: true });
    this.end.clear();
    this.#link?.close();
    this.#link = undefined;
    await this.#pair?.remove();
    this.#pair = undefined;
  }

  async remove(): Promise<void> {
    await this.pull();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
