import type { IsotpAddress } from '../addressing.ts';
import type { IsotpFinding, IsotpFrame } from '../isotp-frame.ts';
import { Pci, readPci } from '../pci.ts';
import {
  IsotpReceiver,
  type IsotpReceiverFailure,
  type IsotpReceiverOptions,
} from '../receiver.ts';
import { IsotpSender, type IsotpSenderOptions } from '../sender.ts';

/** Payload 01 02 03 … */
export const counting = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i + 1) & 0xff);

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('hex').toUpperCase();

export const address = (id = 0x7e0, addressByte: number | null = null): IsotpAddress => ({
  id,
  extended: id > 0x7ff,
  addressByte,
});

const textOf = ({ id, data, length }: IsotpFrame): string =>
  `${id.toString(16).toUpperCase()}#${hexOf(data.subarray(0, length))}`;

const frameOptions = { address: address(), fd: false, brs: false, padding: null };
const second = 1_000_000;

abstract class Rig {
  nowUs = second;
  /** Frames given to the port. */
  readonly frames: string[] = [];
  readonly findings: IsotpFinding[] = [];
  readonly #pci = new Pci();
  readonly #addressBytes: 0 | 1;

  constructor({ addressByte }: IsotpAddress) {
    this.#addressBytes = addressByte === null ? 0 : 1;
  }

  protected read(hex: string): { pci: Pci; bytes: Uint8Array } {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    readPci(this.#pci, bytes, 0, bytes.length, this.#addressBytes);
    return { pci: this.#pci, bytes };
  }

  protected record(frame: IsotpFrame): void {
    this.frames.push(textOf(frame));
  }
}

/** A sender whose frames are on the bus as soon as `pump` is called. */
export class SenderRig extends Rig {
  readonly sender: IsotpSender;

  constructor(options: Partial<IsotpSenderOptions> = {}) {
    super(options.address ?? frameOptions.address);
    this.sender = new IsotpSender({
      ...frameOptions,
      txDl: 8,
      nAsUs: second,
      nBsUs: second,
      waitMax: 0,
      onFinding: (code) => this.findings.push(code),
      ...options,
    });
  }

  start(payload: Uint8Array | number): this {
    const bytes = typeof payload === 'number' ? counting(payload) : payload;
    this.sender.start(bytes, this.nowUs);
    return this;
  }

  next(): IsotpFrame | null {
    const frame = this.sender.next(this.nowUs);
    if (frame) this.record(frame);
    return frame;
  }

  sent(): this {
    this.sender.sent(this.nowUs);
    return this;
  }

  pump(): this {
    while (this.next()) this.sent();
    return this;
  }

  flow(hex: string): this {
    this.sender.flow(this.read(hex).pci, this.nowUs);
    return this;
  }

  /** Time passes until the deadline. */
  expire(): this {
    if (Number.isFinite(this.sender.deadlineUs)) this.nowUs = this.sender.deadlineUs;
    this.sender.expire(this.nowUs);
    return this;
  }

  wait(us: number): this {
    this.nowUs += us;
    this.sender.expire(this.nowUs);
    return this;
  }
}

/** A receiver whose flow controls are on the bus immediately. */
export class ReceiverRig extends Rig {
  readonly receiver: IsotpReceiver;
  readonly payloads: string[] = [];
  readonly failures: IsotpReceiverFailure[] = [];
  readonly begun: number[] = [];

  constructor(options: Partial<IsotpReceiverOptions> = {}) {
    super(options.address ?? frameOptions.address);
    this.receiver = new IsotpReceiver({
      ...frameOptions,
      blockSize: 0,
      stMinUs: 0,
      maxLength: 4095,
      nArUs: second,
      nCrUs: second,
      onBegin: (length) => this.begun.push(length),
      onPayload: (payload) => this.payloads.push(hexOf(payload)),
      onFailed: (code) => this.failures.push(code),
      onFinding: (code) => this.findings.push(code),
      ...options,
    });
  }

  /** Frames without sending flow controls. */
  receive(...hex: readonly string[]): this {
    for (const each of hex) {
      const { pci, bytes } = this.read(each);
      this.receiver.received(pci, bytes, 0, this.nowUs);
    }
    return this;
  }

  next(): IsotpFrame | null {
    const frame = this.receiver.next();
    if (frame) this.record(frame);
    return frame;
  }

  sent(): this {
    this.receiver.sent(this.nowUs);
    return this;
  }

  hear(...hex: readonly string[]): this {
    for (const each of hex) {
      this.receive(each);
      if (this.next()) this.sent();
    }
    return this;
  }

  expire(): this {
    if (Number.isFinite(this.receiver.deadlineUs)) this.nowUs = this.receiver.deadlineUs;
    this.receiver.expire(this.nowUs);
    return this;
  }

  wait(us: number): this {
    this.nowUs += us;
    this.receiver.expire(this.nowUs);
    return this;
  }
}

/**
 * Rows of a drawn table by their first word, each with its cells in order. `-` is a cell without
 * a case.
 */
export const drawnTable = (text: string): { state: string; input: string; expected: string }[] => {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
  return rows.flatMap(([state = '', ...cells]) =>
    cells.map((expected, i) => ({ state, input: head[i + 1] ?? '', expected })),
  );
};
