import type { SerialSettings } from '../../base/serial/serial-settings.ts';

/** Over TCP: with the MBAP header, or unchanged serial frames. */
export type TcpKind = 'tcp' | 'rtu-tcp';
export type SerialKind = 'rtu' | 'ascii';
export type EndpointKind = TcpKind | SerialKind;

export const isTcp = <Of extends { readonly kind: EndpointKind }>(
  of: Of,
): of is Extract<Of, { readonly kind: TcpKind }> => of.kind === 'tcp' || of.kind === 'rtu-tcp';

/** Treatment of a late unit if frames carry no transaction id. */
export interface LateUnitSettings {
  /** Rest time of a late unit. Default: one timeout. */
  readonly lateMs?: number | undefined;
  /** Whether it may be probed. Default: true. */
  readonly probe?: boolean | undefined;
}

export interface LinkSettings extends LateUnitSettings {
  readonly gapMs?: number | undefined;
  readonly units?: Readonly<Record<string, LateUnitSettings>> | undefined;
}

export interface TcpEndpoint extends LinkSettings {
  readonly kind: TcpKind;
  /** Name or IP address, without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface SerialEndpoint extends LinkSettings {
  readonly kind: SerialKind;
  readonly device: string;
  readonly settings: SerialSettings;
}

export type Endpoint = TcpEndpoint | SerialEndpoint;

export interface ResolvedTcpEndpoint {
  readonly kind: TcpKind;
  readonly address: string;
  readonly port: number;
  readonly gapMs?: number | undefined;
  /** Equal for all names of the same endpoint. */
  readonly key: string;
  readonly text: string;
}

export interface ResolvedSerialEndpoint {
  readonly kind: SerialKind;
  /** The original path, which may resolve differently later. */
  readonly named: string;
  readonly path: string;
  readonly settings: SerialSettings;
  readonly gapMs?: number | undefined;
  readonly key: string;
  readonly text: string;
}

export type ResolvedEndpoint = ResolvedTcpEndpoint | ResolvedSerialEndpoint;
