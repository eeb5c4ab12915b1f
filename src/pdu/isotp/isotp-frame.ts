import { dlcToLength, lengthToDlc, maxFdLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { IsotpAddress } from './addressing.ts';
import { classicDl } from './pci.ts';

export interface IsotpFrameOptions {
  /** Of the frames that are sent. */
  readonly address: IsotpAddress;
  readonly fd: boolean;
  readonly brs: boolean;
  /** Fills frames to 8 bytes; null for frames of just the needed length. */
  readonly padding: number | null;
}

/** Fills CAN FD frames to the next length that exists, if no padding is set. */
const dlcFill = 0xcc;

/** Findings of senders and receivers: the peer breaks a rule, which does not end the message. */
export const isotpFindings = {
  reserved_st_min: 'A flow control with a reserved STmin, which counts as 127 ms',
  bad_flow_status: 'A flow control with a reserved flow status',
  unexpected_flow_control: 'A flow control that the sender did not wait for',
  short_first_frame: 'A first frame whose payload fits a single frame',
  bad_frame_length: 'A consecutive frame that is longer or shorter than its message allows',
} as const;
export type IsotpFinding = keyof typeof isotpFindings;

/** A frame that its machine sends. Each machine has one object, which is reused. */
export class IsotpFrame {
  readonly id: number;
  /** FRM2 flags. */
  readonly flags: number;
  readonly data = new Uint8Array(maxFdLength);
  length = 0;
  dlc = 0;
  readonly #addressByte: number | null;
  readonly #fd: boolean;
  readonly #padding: number | null;

  constructor({ address, fd, brs, padding }: IsotpFrameOptions) {
    this.id = address.id;
    this.flags =
      (address.extended ? frameFlag.extended : 0) |
      (fd ? frameFlag.fd : 0) |
      (fd && brs ? frameFlag.brs : 0);
    this.#addressByte = address.addressByte;
    this.#fd = fd;
    this.#padding = padding;
  }

  begin(pci: number): void {
    this.length = 0;
    if (this.#addressByte !== null) this.push(this.#addressByte);
    this.push(pci);
  }

  push(byte: number): void {
    this.data[this.length] = byte;
    this.length += 1;
  }

  copy(payload: Uint8Array, from: number, count: number): void {
    for (let i = 0; i < count; i++) this.data[this.length + i] = payload[from + i] as number;
    this.length += count;
  }

  finish(): void {
    const padding = this.#padding;
    const wanted = padding === null ? this.length : Math.max(this.length, classicDl);
    this.dlc = lengthToDlc(wanted, this.#fd);
    const length = dlcToLength(this.dlc, this.#fd);
    this.data.fill(padding ?? dlcFill, this.length, length);
    this.length = length;
  }
}
