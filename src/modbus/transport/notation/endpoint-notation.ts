import { formatHostPort, type HostPort } from '../../../base/net/host-port.ts';
import type { Parity } from '../../../base/serial/serial-settings.ts';
import { isTcp, type SerialKind, type TcpKind } from '../endpoint.ts';

interface WrittenSettings {
  readonly baudRate: number;
  readonly dataBits: number;
  readonly parity: Parity;
  readonly stopBits: number;
}

type WrittenEndpoint =
  | ({ readonly kind: TcpKind } & HostPort)
  | { readonly kind: SerialKind; readonly device: string; readonly settings: WrittenSettings };

export const tcpKindOf = (framing: 'tcp' | 'rtu' | undefined): TcpKind =>
  framing === 'rtu' ? 'rtu-tcp' : 'tcp';

const settingsText = ({ baudRate, dataBits, parity, stopBits }: WrittenSettings): string =>
  `${baudRate},${dataBits}${parity.charAt(0).toUpperCase()}${stopBits}`;

export const endpointText = (endpoint: WrittenEndpoint): string =>
  isTcp(endpoint)
    ? `${endpoint.kind}:${formatHostPort(endpoint)}`
    : `${endpoint.kind}:${endpoint.device}:${settingsText(endpoint.settings)}`;
