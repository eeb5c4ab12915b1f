import type { TimingPhase } from '../../frame/bit-timing.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import type { BusState } from '../channel-stats.ts';
import type { PortInfo } from '../driver.ts';

/** What a controller has counted. */
export interface ErrorCounts {
  readonly tx: number;
  readonly rx: number;
}

/** A CAN interface, as the kernel has it. */
export interface CanInterface {
  /** Stays the same over reboots where the machine has something that does. */
  readonly sn: string;
  /** The same without regard to others: copies of one adapter may share it. */
  readonly serial: string;
  /** Where it is plugged in; its name where that is nowhere. */
  readonly place: string;
  readonly uid: string;
  /** What it is, for people. */
  readonly label: string;
  /** Of its adapter; empty if that tells none. */
  readonly firmwareVersion: string;
  readonly name: string;
  readonly index: number;
  readonly isUp: boolean;
  readonly isBusOff: boolean;
  /** Of its controller, at most a second old while it runs; undefined where it has none, or is down. */
  readonly busState: BusState | undefined;
  readonly errorCounts: ErrorCounts | undefined;
  /** Frames of CAN FD fit now. */
  readonly hasFd: boolean;
  /** It has a controller with a bit rate, unlike vcan. */
  readonly hasController: boolean;
  /** DLCs of classic frames above 8 go out as they are. */
  readonly keepsDlc: boolean;
  readonly port: PortInfo;
  /** The rates of each phase that its controller has; none where any in its range will do. */
  readonly rates: Readonly<Record<TimingPhase, readonly number[]>>;
  /** How it runs, or would if it were up; undefined for what it does not tell. */
  readonly settings: Partial<ChannelSettings>;
}

/** The CAN interfaces of the machine. */
export interface CanInterfaces {
  list(): Promise<readonly CanInterface[]>;
  /** Calls back with all of them whenever one has come, gone or changed. */
  watch(onChange: (links: readonly CanInterface[]) => void): () => void;
  /**
   * Makes an interface run so, and says how it runs then. Rejects as `Driver.open` does. `onDown` is
   * called once the interface is down, if it has to be for that.
   */
  run(link: CanInterface, settings: ChannelSettings, onDown?: () => void): Promise<CanInterface>;
  /** What root has to run in a shell before an interface can run so; undefined if nothing. */
  preparation(link: CanInterface, settings: ChannelSettings): string | undefined;
  /** Puts back what was changed in order to run it. */
  release(link: CanInterface): Promise<void>;
  /** Begins the way back from bus off. `onDown` is called once the interface is down for that. */
  restart(link: CanInterface, onDown?: () => void): Promise<void>;
  close(): void;
}
