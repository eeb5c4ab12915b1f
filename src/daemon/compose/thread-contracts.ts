import type { CallControl } from '../../base/threads/call-port.ts';
import type { Bench } from '../../bench/bench-record.ts';
import type { ChannelEntry } from '../../bench/channel-table.ts';
import type { FoundFirmwareIndex } from '../../bench/firmware/read-firmware-index.ts';
import type { BenchPlaces } from '../../bench/load-bench.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { DemoPlace } from '../../demo/demo-bench.ts';
import type { ProjectImage } from '../../gateway/image/project-image.ts';
import type { InstanceOffer } from '../../gateway/instances/instance-offer.ts';
import type { TriedLibraries } from '../../gateway/plugins/plugin-starts.ts';
import type { PackedMaps } from '../../modbus/server/map/packed-maps.ts';
import type { EndpointKind } from '../../modbus/transport/endpoint.ts';
import type { PlainCaller } from '../../operations/dispatcher.ts';
import type { RecorderStart } from '../../recording/service/recorder-contract.ts';
import type { TraceOffer } from '../../trace/service/loader-traces.ts';
import type { WebConfiguration, WebKeeperOffer } from '../../web/web-configuration.ts';
import type { ChannelReport, DaemonHealth } from '../health/reports.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import type { StartOffer } from '../threads/thread-start.ts';

/** What the client thread is started with. */
export interface ClientThreadData {
  /** The bench thread has real-time scheduling, and must not wait for this one. */
  readonly realtime: boolean;
  readonly identity: DaemonIdentity;
  readonly packagedConsole: string;
  readonly packagedSite: string;
  /** The Web service to bring back after this thread's predecessor died; null: none ran. */
  readonly resumeWeb: WebConfiguration | null;
  readonly broker: {
    readonly memory: SharedArrayBuffer;
    /** Number of this thread among the readers. */
    readonly reader: number;
    /** The channels that are open when the thread starts. */
    readonly channels: readonly ChannelEntry[];
  };
}

/** What the bench thread does for the client thread. */
export type BenchOffer = InstanceOffer<PlainCaller> &
  StartOffer &
  WebKeeperOffer & {
    /** Carries out an operation with arguments that the client thread has checked. */
    execute(
      operation: string,
      input: object,
      caller: PlainCaller,
      control: CallControl,
    ): Promise<unknown>;
    daemonHealth(): DaemonHealth;
    channelReports(): readonly ChannelReport[];
    channelReport(selector: string, caller: PlainCaller): Promise<ChannelReport>;
    /** Slots of the channels that selectors name, for history and streams. */
    followChannels(selectors: readonly string[], caller: PlainCaller): Promise<readonly number[]>;
    /** Who beside clients reads the events of a channel. */
    consumersOf(slot: number): Promise<readonly Consumer[]>;
    /** Lets every channel keep so many events for clients. */
    growHistory(capacity: number): Promise<void>;
    requestStop(): void;
  };

/** What the client thread does for the bench thread. */
export type ClientOffer = {
  /** Follows a channel that is about to run. */
  channelOpening(entry: ChannelEntry): void;
  /** Releases a channel that has ended; its memory may be used again afterwards. */
  channelClosed(slot: number): void;
  /** Opens and tries the libraries of a project's plugins. */
  openPlugins(file: string, image: ProjectImage): Promise<TriedLibraries>;
  /** Closes libraries that were loaded, or will not be. */
  closePlugins(handle: number): void;
  /** Opens the Web service's log file anew, where it has one. */
  reopenLog(): void;
  /** Takes no more callers and closes the Web service, its streams and its log. */
  shutDown(): Promise<void>;
};

/** What the loader is started with. */
export interface LoaderThreadData {
  /** The bench thread has real-time scheduling, and must not wait for this one. */
  readonly realtime: boolean;
  readonly projectRoot: string;
  readonly unixOffsetUs: number;
  /** Has the database of the simulated vehicle from the start, and its networks for those without a bench file. */
  readonly demo: DemoPlace | undefined;
}

/** What the loader does for the bench thread: long work that must not hold up a deadline. */
export type LoaderOffer = TraceOffer & {
  loadBench(places: BenchPlaces): Bench;
  readFirmwareIndex(bench: Bench): Promise<FoundFirmwareIndex>;
  /** The units that a file of the project tells a Modbus server to have. */
  readModbusMap(file: string, kind: EndpointKind): PackedMaps;
};

/** What a recorder is started with. */
export interface RecorderThreadData extends RecorderStart {
  /** The bench thread has real-time scheduling, and must not wait for this one. */
  readonly realtime: boolean;
}

/** What a builder is started with. */
export interface BuilderThreadData {
  readonly projectRoot: string;
}
