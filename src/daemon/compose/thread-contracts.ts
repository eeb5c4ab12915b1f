import type { CallControl } from '../../base/threads/rpc-port.ts';
import type { Bench } from '../../bench/bench-record.ts';
import type { ChannelEntry } from '../../bench/channel-table.ts';
import type { FoundFirmwareIndex } from '../../bench/firmware/read-firmware-index.ts';
import type { BenchFiles } from '../../bench/load-bench.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { DemoFiles } from '../../demo/demo-bench.ts';
import type { ProjectImage } from '../../gateway/image/project-image.ts';
import type { InstanceRpc } from '../../gateway/instances/instance-rpc.ts';
import type { TriedLibraries } from '../../gateway/plugins/plugin-starts.ts';
import type { PackedMaps } from '../../modbus/server/map/packed-maps.ts';
import type { EndpointKind } from '../../modbus/transport/endpoint.ts';
import type { PlainCaller } from '../../operations/dispatcher.ts';
import type { RecorderStart } from '../../recording/service/recorder-contract.ts';
import type { TraceRpc } from '../../trace/service/loader-traces.ts';
import type { WebConfiguration, WebKeeperRpc } from '../../web/web-configuration.ts';
import type { ChannelReport, DaemonHealth } from '../health/reports.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import type { StartRpc } from '../threads/thread-start.ts';

/** Start data of the client thread. */
export interface ClientThreadData {
  readonly realtime: boolean;
  readonly identity: DaemonIdentity;
  readonly packagedConsole: string;
  readonly packagedSite: string;
  /** Web service to restore after this thread's predecessor died, or null. */
  readonly resumeWeb: WebConfiguration | null;
  readonly broker: {
    readonly memory: SharedArrayBuffer;
    readonly reader: number;
    readonly channels: readonly ChannelEntry[];
  };
}

/** Calls of the bench thread for the client thread. */
export type BenchRpc = InstanceRpc<PlainCaller> &
  StartRpc &
  WebKeeperRpc & {
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
    /** Resolves selectors to slots. */
    followChannels(selectors: readonly string[], caller: PlainCaller): Promise<readonly number[]>;
    /** Readers of a channel other than clients. */
    consumersOf(slot: number): Promise<readonly Consumer[]>;
    /** Grows the history of every channel. */
    growHistory(capacity: number): Promise<void>;
    requestStop(): void;
  };

/** Calls of the client thread for the bench thread. */
export type ClientRpc = {
  /** Follows a channel that is about to open. */
  channelOpening(entry: ChannelEntry): void;
  /** Releases a closed channel, whose memory may then be reused. */
  channelClosed(slot: number): void;
  /** Opens and probes plugin libraries of a project. */
  openPlugins(file: string, image: ProjectImage): Promise<TriedLibraries>;
  /** Closes plugin libraries. */
  closePlugins(handle: number): void;
  /** Reopens the Web service's log file, if any. */
  reopenLog(): void;
  /** Closes the Web service with its streams and log. */
  shutDown(): Promise<void>;
};

/** Start data of the loader. */
export interface LoaderThreadData {
  readonly realtime: boolean;
  readonly projectRoot: string;
  readonly unixOffsetUs: number;
  /** Has the demonstration's database and networks from the start. */
  readonly demo: DemoFiles | undefined;
}

/** Calls of the loader: long work that must not delay a deadline. */
export type LoaderRpc = TraceRpc & {
  loadBench(places: BenchFiles): Bench;
  readFirmwareIndex(bench: Bench): Promise<FoundFirmwareIndex>;
  /** Units of a Modbus map file. */
  readModbusMap(file: string, kind: EndpointKind): PackedMaps;
};

export interface RecorderThreadData extends RecorderStart {
  readonly realtime: boolean;
}

/** Start data of a builder. */
export interface BuilderThreadData {
  readonly projectRoot: string;
}
