import { busCode, eventKindCode, frameFlag } from '../../../frame/frm2-layout.ts';
import type { Pdu } from '../../pdu.ts';
import { IsotpListener, type IsotpListenerOptions } from '../listener.ts';

export interface GivenFrame {
  readonly text: string;
  /** Time since the frame before. */
  readonly ms?: number;
  readonly kind?: keyof typeof eventKindCode;
  readonly channel?: number;
  readonly bus?: number;
  readonly flags?: number;
}

/** A listener whose time starts at 1 s and whose events count from 1. Frames are as candump writes them. */
export class IsotpRig {
  readonly pdus: Pdu[] = [];
  readonly listener: IsotpListener;
  timeUs = 1_000_000;
  eventId = 0;

  constructor(options: Omit<IsotpListenerOptions, 'onPdu'> = {}) {
    this.listener = new IsotpListener({ ...options, onPdu: (pdu) => this.pdus.push(pdu) });
  }

  /** Frames 1 ms apart, unless they say otherwise. */
  hear(...frames: readonly (GivenFrame | string)[]): this {
    for (const given of frames) this.#hear(typeof given === 'string' ? { text: given } : given);
    return this;
  }

  #hear({ text, ms = 1, kind = 'rx_frame', channel = 0, ...more }: GivenFrame): void {
    this.timeUs += Math.round(ms * 1000);
    this.eventId += 1;
    const [, digits = '', fd, hex = ''] =
      /^(\w+)#(#\d)?(\w*)$/.exec(text.replaceAll(' ', '')) ?? [];
    const id = Number.parseInt(digits, 16);
    const extended = digits.length > 3 ? frameFlag.extended : 0;
    const flags = extended | (fd ? frameFlag.fd : 0) | (more.flags ?? 0);
    const bus = more.bus ?? (fd ? busCode.canfd : busCode.can);
    const data = Buffer.from(hex, 'hex');
    // The bytes after a frame are of another one.
    const bytes = Buffer.concat([Buffer.of(0x21), data, Buffer.of(0x30, 0, 0)]);
    if (!this.listener.concerns(flags, id, bytes, 1)) return;
    const { timeUs: timestampUs, eventId } = this;
    const place = { bytes, at: 1, length: data.length, timestampUs, eventId };
    Object.assign(this.listener.frame, place, { channel, id, extended: extended !== 0 });
    this.listener.frame.kind = eventKindCode[kind];
    this.listener.take(bus);
  }

  wait(ms: number): this {
    this.timeUs += ms * 1000;
    this.listener.expire(this.timeUs);
    return this;
  }

  /** `7E8 62F190…`, or the status of what is not complete. */
  get heard(): string[] {
    return this.pdus.map(({ id, address, status, payload }) => {
      const from = [id ?? 0, ...(address === null ? [] : [address])];
      const [name] = [from.map((part) => part.toString(16).toUpperCase()).join('.')];
      const data = Buffer.from(payload).toString('hex').toUpperCase();
      return `${name} ${status === 'complete' ? data : status}`;
    });
  }

  get findings(): string[] {
    return this.pdus.flatMap(({ findings }) =>
      findings.map((each) => `${each.code} ${each.eventId}`),
    );
  }
}

/** Bytes 01 02 03 …, as hex. */
export const counting = (length: number): string =>
  Buffer.from(Array.from({ length }, (_, i) => (i + 1) & 0xff))
    .toString('hex')
    .toUpperCase();
