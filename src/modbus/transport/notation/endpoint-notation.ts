import { formatHostPort, type HostPort } from '../../../base/net/host-port.ts';
import type { Parity } from '../../../base/serial/serial-settings.ts';
import { isTcp, type SerialKind, type TcpKind } from '../endpoint.ts';

/** Settings of a serial line, as records tell them too. */
interface WrittenSettings {
  readonly baudRate: number;
  readonly dataBits: number;
  readonly parity: Parity;
  readonly stopBits: number;
}

/** What of an endpoint stands in its text. */
type WrittenEndpoint =
  | ({ readonly kind: TcpKind } & HostPort)
  | {
      readonly kind: SerialKind;
      readonly device: string;
      readonly settings: WrittenSettings;
    };

/** The kind of a connection with that framing; Modbus TCP where none is told. */
export const tcpKindOf = (framing: 'tcp' | 'rtu' | undefined): TcpKind =>
  framing === 'rtu' ? 'rtu-tcp' : 'tcp';

/** Settings as people write them: `19200,8E1`. */
const settingsText = ({ baudRate, dataBits, parity, stopBits }: WrittenSettings): string =>
  `${baudRate},${dataBits}${parity.charAt(0).toUpperCase()}${stopBits}`;

/** The text that reads back as the same endpoint, with all settings told. */
export const endpointText = (endpoint: WrittenEndpoint): string =>
  isTcp(endpoint)
    ? `${endpoint.kind}:${formatHostPort(endpoint)}`
    : `${endpoint.kind}:${endpoint.device}:${settingsText(endpoint.settings)}`;
