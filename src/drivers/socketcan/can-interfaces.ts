import type { TimingPhase } from '../../frame/bit-timing.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import type { BusState } from '../channel-stats.ts';
import type { PortInfo } from '../driver.ts';

export interface ErrorCounts {
  readonly tx: number;
  readonly rx: number;
}

export interface CanInterface {
  /** Stable over reboots if possible. */
  readonly sn: string;
  /** Without regard to duplicates. */
  readonly serial: string;
  /** Where it is plugged in, else its name. */
  readonly place: string;
  readonly uid: string;
  readonly label: string;
  /** May be empty. */
  readonly firmwareVersion: string;
  readonly name: string;
  readonly index: number;
  readonly isUp: boolean;
  readonly isBusOff: boolean;
  /** At most a second old; undefined without a controller, or if down. */
  readonly busState: BusState | undefined;
  readonly errorCounts: ErrorCounts | undefined;
  /** Accepts CAN FD frames now. */
  readonly hasFd: boolean;
  /** Has a controller with a bit rate, unlike vcan. */
  readonly hasController: boolean;
  /** Sends classic DLCs above 8 unchanged. */
  readonly keepsDlc: boolean;
  readonly port: PortInfo;
  /** Fixed rates per phase; none if any in range. */
  readonly rates: Readonly<Record<TimingPhase, readonly number[]>>;
  /** Current or configured settings; undefined if unknown. */
  readonly settings: Partial<ChannelSettings>;
}

export interface CanInterfaces {
  list(): Promise<readonly CanInterface[]>;
  /** Calls back with all interfaces on any change. */
  watch(onChange: (links: readonly CanInterface[]) => void): () => void;
  /**
   * Configures an interface and returns its settings. Rejects like `Driver.open`. `onDown` is
   * called if it must go down.
   */
  run(link: CanInterface, settings: ChannelSettings, onDown?: () => void): Promise<CanInterface>;
  /** Commands for root before it can run so, or undefined. */
  preparation(link: CanInterface, settings: ChannelSettings): string | undefined;
  /** Restores what was changed. */
  release(link: CanInterface): Promise<void>;
  /** Starts recovery from bus off. `onDown` is called if it must go down. */
  restart(link: CanInterface, onDown?: () => void): Promise<void>;
  close(): void;
}
