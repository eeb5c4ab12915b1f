import type { SerialSettings } from '../../base/serial/serial-settings.ts';

/** Over a connection: with a header that counts bytes, or frames of a serial line as they are. */
export type TcpKind = 'tcp' | 'rtu-tcp';
/** Over a serial line, by the framing. */
export type SerialKind = 'rtu' | 'ascii';
export type EndpointKind = TcpKind | SerialKind;

/** Whether something is reached over a connection. */
export const isTcp = <Of extends { readonly kind: EndpointKind }>(
  of: Of,
): of is Extract<Of, { readonly kind: TcpKind }> => of.kind === 'tcp' || of.kind === 'rtu-tcp';

/** How a unit is treated that did not answer in time, where frames do not tell what they answer. */
export interface LateUnitSettings {
  /** How long it is left alone; one time-out when left out. */
  readonly lateMs?: number | undefined;
  /** Whether it may be probed; it may when left out. */
  readonly probe?: boolean | undefined;
}

/** What holds for frames of serial lines, wherever they are sent. */
export interface LinkSettings extends LateUnitSettings {
  /** Longest pause inside a frame; the usual one of the framing when left out. */
  readonly gapMs?: number | undefined;
  /** What is different for single units. */
  readonly units?: Readonly<Record<string, LateUnitSettings>> | undefined;
}

export interface TcpEndpoint extends LinkSettings {
  readonly kind: TcpKind;
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface SerialEndpoint extends LinkSettings {
  readonly kind: SerialKind;
  readonly device: string;
  readonly settings: SerialSettings;
}

/** Where Modbus is spoken, as people name it. */
export type Endpoint = TcpEndpoint | SerialEndpoint;

/** An address that no longer depends on a name server. */
export interface ResolvedTcpEndpoint {
  readonly kind: TcpKind;
  readonly address: string;
  readonly port: number;
  readonly gapMs?: number | undefined;
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
  readonly gapMs?: number | undefined;
  readonly key: string;
  readonly text: string;
}

export type ResolvedEndpoint = ResolvedTcpEndpoint | ResolvedSerialEndpoint;
