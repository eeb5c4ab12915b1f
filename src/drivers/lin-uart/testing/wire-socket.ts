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

/** A serial port whose far end is a place on an emulated wire, under a name that stays. */
export class WireSocket {
  readonly folder = mkdtempSync(join(tmpdir(), 'busbar-lin-'));
  /** The name of the port, as udev would link it. */
  readonly path = join(this.folder, 'port');
  readonly end: WireEnd;
  /** Raw bytes that went to the node, and that came from it. */
  toNode = 0;
  fromNode = 0;
  /** The terminal that the name leads to. */
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

  /** Hands raw bytes to the node. */
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
