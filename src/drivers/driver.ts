import type { Clock } from '../base/clock/clock.ts';
import type { Scheduler } from '../base/schedule/scheduler.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { OpenSettings } from './channel-settings.ts';
import type { ChannelSink } from './channel-sink.ts';
import type { DriverChannel } from './driver-channel.ts';
import type { PortCapabilities } from './port-capabilities.ts';

export interface PortInfo {
  readonly port: number;
  readonly name: string;
  /** Supported buses, best last. */
  readonly buses: readonly Bus[];
  readonly capabilities: PortCapabilities;
}

export interface DeviceInfo {
  readonly sn: string;
  readonly uid: string;
  readonly name: string;
  readonly firmwareVersion: string;
  /** Commands for root before it can be opened, if any. */
  readonly needs?: string;
  /** Address in the bench file, if found there. */
  readonly address?: string;
  readonly ports: readonly PortInfo[];
}

/** A driver thread that writes records itself. */
export interface WriterThread {
  readonly writer: number;
  /** Grows the ring of a channel; only its writer may. */
  growRing(channel: number, slots: number): Promise<void>;
}

/**
 * Access to bus hardware. Its calls and reports are on the bench thread, which it never blocks:
 * slow work returns a promise or ends with an event. Only records may be written by another
 * thread.
 */
export interface Driver {
  readonly kind: string;
  devices(): Promise<readonly DeviceInfo[]>;
  /**
   * Opens a port and reports to `sink`. A port is open once. Rejects with `channel_not_found`,
   * `busy`, `unsupported_by_hardware` or `hardware_error`.
   */
  open(sn: string, port: number, settings: OpenSettings, sink: ChannelSink): Promise<DriverChannel>;
  /** Thread that writes the records of the device, unless it is the bench thread. */
  writerOf?(sn: string): WriterThread | undefined;
  /** Closes all channels and releases the hardware. */
  close(): Promise<void>;
}

export interface DriverContext {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Devices named by the bench that cannot be found otherwise. Read it for each search. */
  readonly addresses: readonly string[];
  /** For driver threads that write records. */
  readonly broker: BrokerAccess;
}

/** What a driver thread needs to write records. */
export interface BrokerAccess {
  readonly memory: { readonly buffer: SharedArrayBuffer };
  claimWriter(): number;
  /** After the thread has ended. */
  releaseWriter(writer: number): void;
}

export type CreateDriver = (context: DriverContext) => Driver;
