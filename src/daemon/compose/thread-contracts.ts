import type { CallControl } from '../../base/threads/rpc-port.ts';
import type { Attachments } from '../../bench/attached-names.ts';
import type { Bench } from '../../bench/bench-record.ts';
import type { ChannelRecord } from '../../bench/channel-record.ts';
import type { ChannelEntry, ChannelFiles } from '../../bench/channel-table.ts';
import type { SeedKey } from '../../bench/ecu-entry.ts';
import type { FoundFirmwareIndex } from '../../bench/firmware/read-firmware-index.ts';
import type { BenchFiles } from '../../bench/load-bench.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { DatabaseName } from '../../database/database-name.ts';
import type { DatabaseFile } from '../../database/service/database-loader.ts';
import type { DemoFiles } from '../../demo/demo-bench.ts';
import type { DidFile } from '../../diagnostics/dids.ts';
import type { EcuModel } from '../../diagnostics/ecu-model.ts';
import type { FlashFiles, FlashRequest } from '../../diagnostics/service/flash-run.ts';
import type { DescribedEcu } from '../../diagnostics/service/listened-ecus.ts';
import type { ProjectImage } from '../../gateway/image/project-image.ts';
import type { InstanceRpc } from '../../gateway/instances/instance-rpc.ts';
import type { TriedLibraries } from '../../gateway/plugins/plugin-starts.ts';
import type { PackedMaps } from '../../modbus/server/map/packed-maps.ts';
import type { EndpointKind } from '../../modbus/transport/endpoint.ts';
import type { PlainCaller } from '../../operations/dispatcher.ts';
import type { RecorderStart } from '../../recording/service/recorder-contract.ts';
import type { TraceRpc } from '../../trace/service/loader-traces.ts';
import type { LinScheduleRecord } from '../../transmit/lin/lin-schedule-record.ts';
import type {
  ScheduleChange,
  ScheduleSource,
  ScheduleStart,
} from '../../transmit/lin/lin-schedules.ts';
import type { TaskChangeRequest } from '../../transmit/tasks/task-change.ts';
import type { TaskSource } from '../../transmit/tasks/task-source.ts';
import type { TxTaskRecord } from '../../transmit/tasks/tx-task-record.ts';
import type { TxTaskRequest } from '../../transmit/tasks/tx-task-request.ts';
import type { WebConfiguration, WebKeeperRpc } from '../../web/web-configuration.ts';
import type { ChannelReport, DaemonHealth, RecorderReport } from '../health/reports.ts';
import type { LiveCheckRpc } from '../jobs/live-check-jobs.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import type { StartRpc } from '../threads/thread-start.ts';

export interface ClientThreadData {
  readonly realtime: boolean;
  readonly identity: DaemonIdentity;
  readonly packagedConsole: string;
  readonly packagedSite: string;
  /** Configuration of the web service to restore after the previous client thread died, or null. */
  readonly resumeWeb: WebConfiguration | null;
  readonly broker: {
    readonly memory: SharedArrayBuffer;
    readonly reader: number;
    readonly channels: readonly ChannelEntry[];
  };
}

export type BenchRpc = InstanceRpc<PlainCaller> &
  StartRpc &
  WebKeeperRpc & {
    execute(
      operation: string,
      input: object,
      caller: PlainCaller,
      control: CallControl,
    ): Promise<unknown>;
    daemonHealth(): DaemonHealth;
    channelReports(): readonly ChannelReport[];
    /** The last reports of recorders, of which none is asked. */
    recorderReports(): readonly RecorderReport[];
    recorderFiles(name: string): Promise<readonly string[]>;
    channelReport(selector: string, caller: PlainCaller): Promise<ChannelReport>;
    attachDatabase(
      selector: string,
      database: DatabaseName,
      caller: PlainCaller,
    ): Promise<ChannelRecord>;
    detachDatabase(selector: string, name: string, caller: PlainCaller): Promise<ChannelRecord>;
    describeDatabase(database: DatabaseName): void;
    forgetDatabase(name: string): void;
    followChannels(selectors: readonly string[], caller: PlainCaller): Promise<readonly number[]>;
    /** Consumers of a channel other than clients. */
    consumersOf(slot: number): Promise<readonly Consumer[]>;
    taskSource(taskId: string): TaskSource | null;
    changeTask(taskId: string, change: TaskChangeRequest): TxTaskRecord;
    addTasks(
      channel: string,
      requests: readonly TxTaskRequest[],
      caller: PlainCaller,
    ): Promise<TxTaskRecord[]>;
    checkLinMaster(channel: string, caller: PlainCaller): Promise<void>;
    startLinSchedule(request: ScheduleStart, caller: PlainCaller): Promise<LinScheduleRecord>;
    linScheduleId(text: string, caller: PlainCaller): Promise<string>;
    linScheduleSource(id: string): ScheduleSource;
    changeLinSchedule(id: string, change: ScheduleChange): LinScheduleRecord;
    linSchedules(): readonly LinScheduleRecord[];
    stopLinSchedule(id: string): LinScheduleRecord;
    growHistory(capacity: number): Promise<void>;
    /** Calls `listenToEcus` for all open channels. */
    reportEcus(): void;
    requestStop(): void;
  };

export type ClientRpc = LiveCheckRpc & {
  channelOpening(entry: ChannelEntry): void;
  channelClosed(slot: number): void;
  attachFiles(channel: ChannelFiles, files: readonly string[]): Promise<Attachments>;
  listenToEcus(slot: number, ecus: readonly DescribedEcu[]): void;
  /** Opens and tests plugin libraries of a project. */
  openPlugins(file: string, image: ProjectImage): Promise<TriedLibraries>;
  /** Runs a function of a library of the project in a process of its own. */
  computeKey(seedKey: SeedKey, level: number, seed: Uint8Array): Promise<Uint8Array>;
  closePlugins(handle: number): void;
  reopenLog(): void;
  shutDown(): Promise<void>;
};

export interface LoaderThreadData {
  readonly realtime: boolean;
  readonly projectRoot: string;
  readonly unixOffsetUs: number;
  readonly demo: DemoFiles | undefined;
}

export type LoaderRpc = TraceRpc & {
  loadBench(places: BenchFiles): Bench;
  readFirmwareIndex(bench: Bench): Promise<FoundFirmwareIndex>;
  readDids(file: string): DidFile;
  readFlashFiles(request: FlashRequest): FlashFiles;
  readPayload(file: string): Uint8Array;
  readEcuModel(file: string): EcuModel;
  readModbusMap(file: string, kind: EndpointKind): PackedMaps;
  /** Loaded databases with the bytes of their files. */
  readDatabases(names: readonly string[]): readonly DatabaseFile[];
};

export interface RecorderThreadData extends RecorderStart {
  readonly realtime: boolean;
}

export interface BuilderThreadData {
  readonly projectRoot: string;
}
