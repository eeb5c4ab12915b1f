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
  /** Root commands required before it can be opened. */
  readonly needs?: string;
  readonly address?: string;
  readonly ports: readonly PortInfo[];
}

export interface WriterThread {
  readonly writer: number;
  /** Grows a channel's ring. Only its writer may do this. */
  growRing(channel: number, slots: number): Promise<void>;
}

/**
 * Access to bus hardware. Calls and reports are on the bench thread, which a driver never
 * blocks: slow work returns a promise or completes with an event. Only records may be written
 * on another thread.
 */
export interface Driver {
  readonly kind: string;
  devices(): Promise<readonly DeviceInfo[]>;
  /**
   * Opens a port and reports to `sink`. A port can be open only once. Rejects with
   * `channel_not_found`, `busy`, `unsupported_by_hardware` or `hardware_error`.
   */
  open(sn: string, port: number, settings: OpenSettings, sink: ChannelSink): Promise<DriverChannel>;
  writerOf?(sn: string): WriterThread | undefined;
  close(): Promise<void>;
}

export interface DriverContext {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /**
   * Addresses in the bench file, for devices that cannot be discovered. Read it for each search.
   */
  readonly addresses: readonly string[];
  readonly broker: BrokerAccess;
}

export interface BrokerAccess {
  readonly memory: { readonly buffer: SharedArrayBuffer };
  claimWriter(): number;
  /** Call it after the thread has exited. */
  releaseWriter(writer: number): void;
}

export type CreateDriver = (context: DriverContext) => Driver;
