import type { Dashboard } from './dashboard.ts';

/** Where a bench comes from. */
export type BenchOrigin = 'project' | 'global' | 'built-in';

export interface BenchDevice {
  readonly driver: string;
  /** Where the driver finds it; for devices that are found by themselves, their serial number. */
  readonly address: string;
  /** Names of ports, by number. */
  readonly ports: Readonly<Record<string, string>>;
}

/** How Modbus is framed over TCP: with its own header, or like on a serial line. */
export const tcpFramings = ['tcp', 'rtu'] as const;
export const serialFramings = ['rtu', 'ascii'] as const;
export const parities = ['none', 'even', 'odd'] as const;

/** What is done with a Modbus unit that did not answer in time. */
export interface LateUnit {
  readonly late_ms?: number;
  readonly probe?: boolean;
}

/** What holds for Modbus in frames of serial lines, wherever they are sent. */
export interface LineRules extends LateUnit {
  readonly gap_ms?: number;
  readonly units?: Readonly<Record<string, LateUnit>>;
}

export interface SerialLine extends LineRules {
  readonly port: string;
  readonly framing: (typeof serialFramings)[number];
  readonly baud_rate: number;
  readonly data_bits: number;
  readonly parity: (typeof parities)[number];
  readonly stop_bits: number;
}

/** The rules of a line are for its framing only. */
export interface TcpPlace extends LineRules {
  readonly host: string;
  readonly port: number;
  /** The header of Modbus TCP if left out. */
  readonly framing?: (typeof tcpFramings)[number];
}

/** A logical network: a port of CAN or LIN, or no port yet, or a way to Modbus nodes. */
export type BenchNetwork =
  | { readonly channel: string | null }
  | { readonly tcp: TcpPlace }
  | { readonly serial: SerialLine };

/** What stands on a bench. Plain data that crosses threads; fields are named as clients see them. */
export interface Bench {
  readonly source: BenchOrigin;
  readonly path: string | null;
  readonly project_id: string | null;
  readonly devices: readonly BenchDevice[];
  readonly networks: Readonly<Record<string, BenchNetwork>>;
  readonly firmware_index: string | null;
  readonly dashboard: Dashboard | null;
}

/** What there is without any file. */
export const builtInBench: Bench = {
  source: 'built-in',
  path: null,
  project_id: 'virtual-bench',
  devices: [{ driver: 'virtual', address: 'SIM00001', ports: {} }],
  networks: {},
  firmware_index: null,
  dashboard: null,
};
