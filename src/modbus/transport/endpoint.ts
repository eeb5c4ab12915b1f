import type { SerialSettings } from './serial-settings.ts';

/** Over a connection: with a header that counts bytes, or frames of a serial line as they are. */
export type TcpKind = 'tcp' | 'rtu-tcp';
/** Over a serial line, by the framing. */
export type SerialKind = 'rtu' | 'ascii';
export type EndpointKind = TcpKind | SerialKind;

/** Whether something is reached over a connection. */
export const isTcp = <Of extends { readonly kind: EndpointKind }>(
  of: Of,
): of is Extract<Of, { readonly kind: TcpKind }> => of.kind === 'tcp' || of.kind === 'rtu-tcp';

export interface TcpEndpoint {
  readonly kind: TcpKind;
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface SerialEndpoint {
  readonly kind: SerialKind;
  readonly device: string;
  readonly settings: SerialSettings;
}

/** Where Modbus is spoken, as people name it. */
export type Endpoint = TcpEndpoint | SerialEndpoint;

/** How a logical network of the bench names an endpoint. */
export type EndpointNetwork =
  | {
      readonly tcp: {
        readonly host: string;
        readonly port: number;
        readonly framing?: 'tcp' | 'rtu';
      };
    }
  | {
      readonly serial: {
        readonly port: string;
        readonly framing: SerialKind;
        readonly baud_rate: number;
        readonly data_bits: number;
        readonly parity: SerialSettings['parity'];
        readonly stop_bits: number;
      };
    };

/** An address that no longer depends on a name server. */
export interface ResolvedTcpEndpoint {
  readonly kind: TcpKind;
  readonly address: string;
  readonly port: number;
  /** The same for all names of the same thing. */
  readonly key: string;
  /** How it was named first. */
  readonly text: string;
}

/** A serial device with all links followed. */
export interface ResolvedSerialEndpoint {
  readonly kind: SerialKind;
  /** The path as it was given first, which may lead elsewhere some day. */
  readonly named: string;
  readonly path: string;
  readonly settings: SerialSettings;
  readonly key: string;
  readonly text: string;
}

export type ResolvedEndpoint = ResolvedTcpEndpoint | ResolvedSerialEndpoint;
