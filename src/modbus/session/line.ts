import { AsciiFraming } from '../framing/ascii-framing.ts';
import type { FrameReceiver, Framing } from '../framing/framing.ts';
import { RtuFraming } from '../framing/rtu-framing.ts';
import { adapterDelayUs, rtuSilenceUs, streamSilenceUs } from '../framing/serial-timing.ts';
import { TcpFraming } from '../framing/tcp-framing.ts';
import type { ByteLink, LinkReceiver } from '../transport/byte-link.ts';
import { type EndpointKind, isTcp, type ResolvedEndpoint } from '../transport/endpoint.ts';
import { openSerialPort } from '../transport/serial-port.ts';
import { connectTcp } from '../transport/tcp-connection.ts';

/** How a session reaches its units, and what this kind of line asks of it. */
export interface Line {
  readonly kind: EndpointKind;
  readonly endpoint: string;
  /** Silence that a request needs before it. */
  readonly gapUs: number;
  /** Silence after a fault, before the line is used again in place of a new connection. */
  readonly quietUs: number;
  open(receiver: LinkReceiver): ByteLink;
  createFraming(receiver: FrameReceiver): Framing;
}

/** Long enough for an answer that was just being sent when it was given up. */
const QUIET_US = 50_000;

/** The line to an endpoint over the machine's own sockets and ports. */
export const lineTo = (endpoint: ResolvedEndpoint): Line => {
  const { text } = endpoint;
  if (isTcp(endpoint)) {
    const { kind } = endpoint;
    const rtu = { side: 'client', silenceUs: streamSilenceUs, endsWithChunk: true } as const;
    return {
      kind,
      endpoint: text,
      gapUs: 0,
      quietUs: 0,
      open: (receiver) => connectTcp(endpoint, receiver),
      createFraming: (receiver) =>
        kind === 'tcp' ? new TcpFraming(receiver) : new RtuFraming(receiver, rtu),
    };
  }
  const { kind } = endpoint;
  const open = (receiver: LinkReceiver): ByteLink => openSerialPort(endpoint, receiver);
  if (kind === 'ascii') {
    const createFraming = (receiver: FrameReceiver): Framing =>
      new AsciiFraming(receiver, { side: 'client' });
    return { kind, endpoint: text, gapUs: 0, quietUs: QUIET_US, open, createFraming };
  }
  const gapUs = rtuSilenceUs(endpoint.settings.baudRate);
  const silenceUs = gapUs + adapterDelayUs;
  return {
    kind,
    endpoint: text,
    gapUs,
    quietUs: Math.max(QUIET_US, gapUs),
    open,
    createFraming: (receiver) => new RtuFraming(receiver, { side: 'client', silenceUs }),
  };
};
