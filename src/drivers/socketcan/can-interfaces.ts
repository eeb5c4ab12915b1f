import type { TimingPhase } from '../../frame/bit-timing.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import type { BusState } from '../channel-stats.ts';
import type { PortInfo } from '../driver.ts';

export interface ErrorCounts {
  readonly tx: number;
  readonly rx: number;
}

export interface CanInterface {
  readonly sn: string;
  readonly serial: string;
  readonly place: string;
  readonly uid: string;
  readonly label: string;
  readonly firmwareVersion: string;
  readonly name: string;
  readonly index: number;
  readonly isUp: boolean;
  readonly isBusOff: boolean;
  /** At most a second old; undefined without a controller, or if down. */
  readonly busState: BusState | undefined;
  readonly errorCounts: ErrorCounts | undefined;
  readonly hasFd: boolean;
  /** Has a controller with a bit rate, unlike vcan. */
  readonly hasController: boolean;
  /** Sends classic DLCs above 8 unchanged. */
  readonly keepsDlc: boolean;
  readonly port: PortInfo;
  /** Fixed rates per phase; empty if any rate in range is possible. */
  readonly rates: Readonly<Record<TimingPhase, readonly number[]>>;
  readonly settings: Partial<ChannelSettings>;
}

export interface CanInterfaces {
  list(): Promise<readonly CanInterface[]>;
  watch(onChange: (links: readonly CanInterface[]) => void): () => void;
  /**
   * Configures an interface and returns its settings. Rejects like `Driver.open`. Calls
   * `onDown` if the interface must go down.
   */
  run(link: CanInterface, settings: ChannelSettings, onDown?: () => void): Promise<CanInterface>;
  /** Root commands required before it can run with these settings. */
  preparation(link: CanInterface, settings: ChannelSettings): string | undefined;
  release(link: CanInterface): Promise<void>;
  /** Starts recovery from bus-off. Calls `onDown` if the interface must go down. */
  restart(link: CanInterface, onDown?: () => void): Promise<void>;
  close(): void;
}
