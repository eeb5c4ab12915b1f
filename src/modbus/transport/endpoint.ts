import type { SerialSettings } from './serial-settings.ts';

export interface TcpEndpoint {
  readonly kind: 'tcp';
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface SerialEndpoint {
  /** The framing. */
  readonly kind: 'rtu' | 'ascii';
  readonly device: string;
  readonly settings: SerialSettings;
}

/** Where Modbus is spoken, as people name it. */
export type Endpoint = TcpEndpoint | SerialEndpoint;

/** How a logical network of the bench names an endpoint. */
export type EndpointNetwork =
  | { readonly tcp: { readonly host: string; readonly port: number } }
  | {
      readonly serial: {
        readonly port: string;
        readonly framing: 'rtu' | 'ascii';
        readonly baud_rate: number;
        readonly data_bits: number;
        readonly parity: SerialSettings['parity'];
        readonly stop_bits: number;
      };
    };

/** An address that no longer depends on a name server. */
export interface ResolvedTcpEndpoint {
  readonly kind: 'tcp';
  readonly address: string;
  readonly port: number;
  /** The same for all names of the same thing. */
  readonly key: string;
  /** How it was named first. */
  readonly text: string;
}

/** A serial device with all links followed. */
export interface ResolvedSerialEndpoint {
  readonly kind: 'rtu' | 'ascii';
  /** The path as it was given first, which may lead elsewhere some day. */
  readonly named: string;
  readonly path: string;
  readonly settings: SerialSettings;
  readonly key: string;
  readonly text: string;
}

export type ResolvedEndpoint = ResolvedTcpEndpoint | ResolvedSerialEndpoint;
