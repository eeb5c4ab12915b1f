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
  /** What the port can be opened as, the best last. */
  readonly buses: readonly Bus[];
  readonly capabilities: PortCapabilities;
}

export interface DeviceInfo {
  readonly sn: string;
  readonly uid: string;
  readonly name: string;
  readonly firmwareVersion: string;
  /** What root has to run in a shell before it can be opened; left out where nothing is needed. */
  readonly needs?: string;
  /** Where the bench says that it is, if it was found there. */
  readonly address?: string;
  readonly ports: readonly PortInfo[];
}

/** A thread of a driver that writes the records of channels itself. */
export interface WriterThread {
  /** Its number with the broker. */
  readonly writer: number;
  /** Makes the ring of a channel larger, which only its writer may. */
  growRing(channel: number, slots: number): Promise<void>;
}

/**
 * A way to reach bus hardware. Its calls and what it tells are on the bench thread, which it never
 * blocks: what takes time is a promise or an event. Only records may be written by another thread.
 */
export interface Driver {
  readonly kind: string;
  /** The devices that are there now, found anew. */
  devices(): Promise<readonly DeviceInfo[]>;
  /**
   * Opens a port and reports to `sink` from then on. A port is open once at a time. Rejects
   * with `channel_not_found`, `busy`, `unsupported_by_hardware` or `hardware_error`.
   */
  open(sn: string, port: number, settings: OpenSettings, sink: ChannelSink): Promise<DriverChannel>;
  /** The thread that writes the records of the device's channels, if it is not the bench thread. */
  writerOf?(sn: string): WriterThread | undefined;
  /** Closes every channel and lets go of the hardware. */
  close(): Promise<void>;
}

/** What every driver is made of. */
export interface DriverContext {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /**
   * Devices that cannot be found without help, as the bench names them. The list is read anew when
   * devices are looked for: ask for it each time.
   */
  readonly addresses: readonly string[];
  /** For threads of its own that write records. */
  readonly broker: BrokerAccess;
}

/** What a driver needs so that a thread of its own can write records. */
export interface BrokerAccess {
  /** The words that all threads share; goes to the thread as it is. */
  readonly memory: { readonly buffer: SharedArrayBuffer };
  claimWriter(): number;
  /** Once the thread has ended. */
  releaseWriter(writer: number): void;
}

export type CreateDriver = (context: DriverContext) => Driver;
