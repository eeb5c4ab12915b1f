import type { Clock } from '../base/clock/clock.ts';
import type { Scheduler } from '../base/schedule/scheduler.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { OpenSettings } from './channel-settings.ts';
import type { ChannelEvents, DriverChannel } from './driver-channel.ts';
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
  readonly ports: readonly PortInfo[];
}

/**
 * A way to reach bus hardware. All of it runs on the bench thread, which it never blocks: what
 * takes time is a promise or an event.
 */
export interface Driver {
  readonly kind: string;
  /** The devices that are there now, found anew. */
  devices(): Promise<readonly DeviceInfo[]>;
  /**
   * Opens a port and reports to `events` from then on. A port is open once at a time. Rejects
   * with `channel_not_found`, `busy`, `unsupported_by_hardware` or `hardware_error`.
   */
  open(
    sn: string,
    port: number,
    settings: OpenSettings,
    events: ChannelEvents,
  ): Promise<DriverChannel>;
  /** Closes every channel and lets go of the hardware. */
  close(): Promise<void>;
}

/** What every driver is made of. */
export interface DriverContext {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Devices that cannot be found without help, as the bench names them. */
  readonly addresses: readonly string[];
}

export type CreateDriver = (context: DriverContext) => Driver;
