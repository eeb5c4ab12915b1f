import type { Clock } from '../../../base/clock/clock.ts';
import type { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { ByteLink, LinkReceiver } from '../../../base/serial/byte-link.ts';
import { AsciiFraming } from '../../framing/ascii-framing.ts';
import type { FrameReceiver, Framing } from '../../framing/framing.ts';
import { RtuFraming } from '../../framing/rtu-framing.ts';
import { defaultGapUs } from '../../framing/serial-framing.ts';
import { TcpFraming } from '../../framing/tcp-framing.ts';
import { unreachable } from '../../transport/unreachable.ts';
import type { Transport } from '../transport.ts';

/** A link controlled by the test. */
export class ScriptedLink implements ByteLink {
  readonly peer = 'scripted';
  bufferedBytes = 0;
  /** Frames that were written, in hex. */
  readonly written: string[] = [];
  isClosed = false;
  /** Receives the written bytes while the link is open. */
  onWrite: ((bytes: Uint8Array) => void) | undefined;
  readonly #receiver: LinkReceiver;

  constructor(receiver: LinkReceiver) {
    this.#receiver = receiver;
  }

  write(bytes: Uint8Array): void {
    this.written.push(Buffer.from(bytes).toString('hex'));
    this.onWrite?.(Uint8Array.from(bytes));
  }

  pause(): void {}
  resume(): void {}

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    if (!this.isClosed) this.#receiver.opened();
  }

  /** Delivers bytes, unless the link is closed. */
  receive(bytes: string | Uint8Array): void {
    if (this.isClosed) return;
    this.#receiver.bytes(typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bytes);
  }

  /** The other end disconnects. */
  lose(error?: BusbarError): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#receiver.closed(error);
  }
}

export const framingFor = (
  kind: Transport['kind'],
  side: 'client' | 'server',
  receiver: FrameReceiver,
): Framing => {
  if (kind === 'tcp') return new TcpFraming(receiver);
  if (kind === 'ascii') return new AsciiFraming(receiver, { side, gapUs: defaultGapUs.ascii });
  return new RtuFraming(receiver, { side, silenceUs: 18_000, gapUs: defaultGapUs.rtu });
};

/** Encodes the frames that units send over a serial line. */
export const encoderOf = (kind: 'rtu' | 'ascii') => {
  const framing = framingFor(kind, 'server', { frame() {}, problem() {} });
  return (unit: number, pdu: readonly number[]): Uint8Array => {
    const into = new Uint8Array(framing.maxLength);
    const length = framing.encode(into, 0, 0, unit, Uint8Array.from(pdu), 0, pdu.length);
    return into.slice(0, length);
  };
};

/** A transport with links controlled by the test. */
export class ScriptedTransport implements Transport {
  readonly kind: Transport['kind'];
  readonly endpoint: string;
  readonly gapUs: number;
  readonly quietUs: number;
  readonly links: ScriptedLink[] = [];
  /** Result of a connection attempt: none by default. */
  onConnect: (link: ScriptedLink) => void = () => undefined;

  constructor(kind: Transport['kind'], endpoint = `${kind}:scripted`) {
    this.kind = kind;
    this.endpoint = endpoint;
    this.gapUs = kind === 'rtu' ? 2000 : 0;
    this.quietUs = kind === 'tcp' ? 0 : 50_000;
  }

  get last(): ScriptedLink {
    const link = this.links.at(-1);
    if (!link) throw new Error('nothing was opened');
    return link;
  }

  open(receiver: LinkReceiver): ByteLink {
    const link = new ScriptedLink(receiver);
    this.links.push(link);
    this.onConnect(link);
    return link;
  }

  createFraming(receiver: FrameReceiver): Framing {
    return framingFor(this.kind, 'client', receiver);
  }

  /** Attempts succeed after a moment. */
  accepts(clock: Clock, then: (link: ScriptedLink) => void = () => undefined): void {
    this.onConnect = (link) => {
      clock.after(1, () => {
        then(link);
        link.open();
      });
    };
  }

  /** Attempts fail after a moment. */
  refuses(clock: Clock, reason = 'ECONNREFUSED'): void {
    this.onConnect = (link) => {
      clock.after(1, () => link.lose(unreachable(this.endpoint, reason)));
    };
  }
}
