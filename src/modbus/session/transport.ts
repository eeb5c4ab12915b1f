import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import type { FrameReceiver, Framing } from '../framing/framing.ts';
import {
  createSerialFraming,
  createStreamFraming,
  rtuSilenceUs,
} from '../framing/serial-framing.ts';
import { TcpFraming } from '../framing/tcp-framing.ts';
import { type EndpointKind, isTcp, type ResolvedEndpoint } from '../transport/endpoint.ts';
import { openSerialLink } from '../transport/serial-link.ts';
import { connectTcp } from '../transport/tcp-connection.ts';
export interface Transport {
  readonly kind: EndpointKind;
  readonly endpoint: string;
  readonly gapUs: number;
  /** Silence after an error before the link is used again. */
  readonly quietUs: number;
  open(receiver: LinkReceiver): ByteLink;
  createFraming(receiver: FrameReceiver): Framing;
}

/** Enough for a response that was being sent when its request was abandoned. */
const minQuietUs = 50_000;

export const transportTo = (endpoint: ResolvedEndpoint): Transport => {
  const { text } = endpoint;
  if (isTcp(endpoint)) {
    const { kind, gapMs } = endpoint;
    return {
      kind,
      endpoint: text,
      gapUs: 0,
      quietUs: 0,
      open: (receiver) => connectTcp(endpoint, receiver),
      createFraming: (receiver) =>
        kind === 'tcp'
          ? new TcpFraming(receiver)
          : createStreamFraming(receiver, { side: 'client', gapMs }),
    };
  }
  const { kind, gapMs, settings } = endpoint;
  const { baudRate } = settings;
  const gapUs = kind === 'rtu' ? rtuSilenceUs(baudRate) : 0;
  return {
    kind,
    endpoint: text,
    gapUs,
    quietUs: Math.max(minQuietUs, gapUs),
    open: (receiver) => openSerialLink(endpoint, receiver),
    createFraming: (receiver) =>
      createSerialFraming(receiver, { kind, side: 'client', baudRate, gapMs }),
  };
};
