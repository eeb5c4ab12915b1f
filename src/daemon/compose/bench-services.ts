import type { Clock } from '../../base/clock/clock.ts';
import { CollectingYieldQueue } from '../../base/clock/collecting-yield-queue.ts';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { Remote } from '../../base/threads/rpc-port.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import type { Broker } from '../../broker/broker.ts';
import { Doorbell } from '../../broker/doorbell.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import { demoEcuStarts } from '../../demo/demo-ecus.ts';
import type { DemoName } from '../../demo/vehicle.ts';
import { DiagnosticLinks } from '../../diagnostics/service/diagnostic-links.ts';
import { type FlashOptions, FlashRuns } from '../../diagnostics/service/flash-run.ts';
import type { FindSlots } from '../../diagnostics/service/lin-transport.ts';
import { ListenedEcus } from '../../diagnostics/service/listened-ecus.ts';
import { Requests } from '../../diagnostics/service/requests.ts';
import { SimulatedEcus } from '../../diagnostics/service/simulated-ecus.ts';
import { UdsCalls } from '../../diagnostics/service/uds-calls.ts';
import { checkedMessage } from '../../gateway/image/checked-message.ts';
import type { InstanceRegistry } from '../../gateway/instances/instance-registry.ts';
import { OutputOwners } from '../../gateway/instances/output-owners.ts';
import { PluginHost } from '../../gateway/plugins/plugin-host.ts';
import { InstanceController } from '../../gateway/runtime/instance-controller.ts';
import { collectYoungGarbage } from '../../link/engine-flags.ts';
import { unpackMaps } from '../../modbus/server/map/packed-maps.ts';
import { ModbusService } from '../../modbus/service/modbus-service.ts';
import { type Dispatcher, type PlainCaller, plainCaller } from '../../operations/dispatcher.ts';
import { limits } from '../../operations/limits.ts';
import { linkOf } from '../../pdu/isotp/link-settings.ts';
import { AddressClaims } from '../../pdu/transmit/address-claims.ts';
import { J1939Sender } from '../../pdu/transmit/j1939-sender.ts';
import { LoggingService } from '../../recording/service/logging-service.ts';
import type { RecorderBench } from '../../recording/service/named-recorder.ts';
import { recordedDatabases } from '../../recording/service/recorded-databases.ts';
import type { RecorderStart, RecorderThread } from '../../recording/service/recorder-contract.ts';
import { RecorderService } from '../../recording/service/recorder-service.ts';
import { RecorderThreads } from '../../recording/service/recorder-threads.ts';
import { RemoteService } from '../../remote/service/remote-service.ts';
import type { DecoderThread } from '../../table/service/decoder-threads.ts';
import { loaderTraces } from '../../trace/service/loader-traces.ts';
import { LinSchedules } from '../../transmit/lin/lin-schedules.ts';
import { ReplayService } from '../../transmit/replay/replay-service.ts';
import { Routes } from '../../transmit/routes/routes.ts';
import { Sender } from '../../transmit/sender.ts';
import { CyclicTasks } from '../../transmit/tasks/cyclic-tasks.ts';
import { TxTasks } from '../../transmit/tasks/tx-tasks.ts';
import { FirmwareChecks } from '../jobs/firmware-checks.ts';
import { FlashJobs } from '../jobs/flash-jobs.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { LiveCheckJobs } from '../jobs/live-check-jobs.ts';
import { TraceJobs } from '../jobs/trace-jobs.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import { bindBenchOperations } from './bench-operations.ts';
import { bindDiagnosticsOperations } from './diagnostics-operations.ts';
import { signalReader } from './read-signal.ts';
import type { ClientRpc, LoaderRpc } from './thread-contracts.ts';

interface BenchServicesOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly broker: Broker;
  readonly channels: ChannelTable;
  readonly instances: InstanceRegistry;
  readonly jobs: JobRunner;
  readonly identity: DaemonIdentity;
  readonly loader: () => Remote<LoaderRpc>;
  readonly client: () => Remote<ClientRpc>;
  readonly benchOf: (caller: Pick<PlainCaller, 'project'>) => BenchSource;
  readonly startRecorder: (data: RecorderStart) => RecorderThread;
  readonly startDecoder: () => DecoderThread;
  /** Diagnostic slots of the LIN schedule that the demonstration runs. */
  readonly demoSlots?: FindSlots;
  readonly onEvent: (event: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly onDefect: (thrown: unknown) => void;
}

export class BenchServices {
  readonly #options: BenchServicesOptions;
  readonly #sender: Sender;
  readonly #j1939: J1939Sender;
  readonly #claims: AddressClaims;
  readonly txTasks: TxTasks;
  readonly linSchedules: LinSchedules;
  readonly #routes: Routes;
  readonly #replay: ReplayService;
  readonly #remote: RemoteService;
  readonly #diagnostics: DiagnosticLinks;
  readonly listenedEcus: ListenedEcus;
  readonly ecus: SimulatedEcus;
  readonly gateways: InstanceController;
  readonly recorderThreads: RecorderThreads;
  readonly logging: LoggingService;
  readonly recorders: RecorderService;
  readonly modbus: ModbusService;

  constructor(options: BenchServicesOptions) {
    this.#options = options;
    const { clock, scheduler, broker, channels, instances, identity, loader, client } = options;
    this.#sender = new Sender({ clock, scheduler });
    this.#j1939 = new J1939Sender({ clock, scheduler });
    const { random } = Math;
    this.#claims = new AddressClaims({ clock, scheduler, capacity: limits.j1939Claims, random });
    this.#diagnostics = new DiagnosticLinks({
      clock,
      scheduler,
      channels,
      capacity: limits.diagnosticLinks,
      slotsOn: (slot) => this.linSchedules.diagnosticsOn(slot) ?? options.demoSlots?.(slot),
    });
    this.listenedEcus = new ListenedEcus({
      channels,
      links: this.#diagnostics,
      ownBench: options.benchOf({ project: null }),
      readDids: async (file) => loader().readDids(file),
      listen: async (slot, ecus) => client().listenToEcus(slot, ecus),
      onDefect: options.onDefect,
    });
    this.ecus = new SimulatedEcus({
      clock,
      scheduler,
      channels,
      capacity: limits.simulatedEcus,
      readModel: async (file) => loader().readEcuModel(file),
      readSignal: signalReader(instances),
    });
    const cyclic = new CyclicTasks(clock, scheduler);
    this.txTasks = new TxTasks({
      clock,
      cyclic,
      channels,
      capacity: limits.txTasks,
      scheduleOn: (slot) => this.linSchedules.on(slot),
    });
    const taskOn = (slot: number) => this.txTasks.headersOn(slot);
    this.linSchedules = new LinSchedules({ clock, scheduler, channels, taskOn });
    const owners = new OutputOwners();
    const turns = new YieldQueue();
    this.modbus = new ModbusService({
      clock,
      scheduler,
      maxServers: limits.modbusServers,
      readMap: async (file, kind) => unpackMaps(await loader().readModbusMap(file, kind)),
      onServerLost: (endpoint, error) => options.onEvent('modbus_server_lost', { endpoint, error }),
      onServerFound: (endpoint) => options.onEvent('modbus_server_found', { endpoint }),
      onDefect: options.onDefect,
    });
    this.gateways = new InstanceController({
      registry: instances,
      channels,
      owners,
      clock,
      scheduler,
      modbus: this.modbus,
      turns: new CollectingYieldQueue(turns, collectYoungGarbage),
      plugins: new PluginHost({
        boardFile: identity.home.pluginCalls,
        turns,
        open: async (file, image) => client().openPlugins(file, image),
        close: (handle) => void client().closePlugins(handle),
        onLoaded: (instance, plugins) => options.onEvent('plugins_loaded', { instance, plugins }),
      }),
    });
    this.#routes = new Routes({ clock, channels, capacity: limits.routes });
    this.#replay = new ReplayService({
      clock,
      scheduler,
      traces: loaderTraces(loader),
      onReleased: ({ slot }) => this.txTasks.restoreResponses(slot),
    });
    const { memory } = broker;
    const bell = new Doorbell(memory, broker.claimReader());
    this.#remote = new RemoteService({ clock, scheduler, memory, bell });
    const threads = new RecorderThreads({
      clock,
      broker,
      projectRoot: identity.projectRoot,
      unixOffsetUs: identity.unixOffsetUs,
      startRecorder: options.startRecorder,
      entries: () => channels.entries,
      onDefect: options.onDefect,
    });
    this.recorderThreads = threads;
    this.logging = new LoggingService({
      threads,
      clock,
      replayed: () => this.#replay.files,
      onFailed: ({ file, error }) => options.onEvent('logging_failed', { file, error }),
    });
    this.recorders = new RecorderService({
      threads,
      unixUs: () => clock.unixUs(),
      projectRoot: identity.projectRoot,
      capacity: limits.recorders,
      databasesOf: (slots) =>
        recordedDatabases(channels.channels, slots, async (names) => loader().readDatabases(names)),
      gatewayMessage: (instance, message) => checkedMessage(instances.get(instance).image, message),
      onFailed: ({ name, file, error }) =>
        options.onEvent('recorder_failed', { recorder: name, file, error }),
    });
    channels.onOpened(() => this.recorders.channelOpened());
  }

  bind(dispatcher: Dispatcher): void {
    const { channels, jobs, loader, client, benchOf, identity } = this.#options;
    const firmware = new FirmwareChecks({
      channels,
      jobs,
      readIndex: async (bench) => loader().readFirmwareIndex(bench),
    });
    const traces = new TraceJobs({
      jobs,
      projectRoot: this.#options.identity.projectRoot,
      startThread: this.#options.startDecoder,
      onDefect: this.#options.onDefect,
    });
    bindBenchOperations(dispatcher, {
      channels,
      sender: this.#sender,
      j1939: this.#j1939,
      claims: this.#claims,
      jobs,
      firmware,
      traces,
      liveChecks: new LiveCheckJobs({ jobs, client }),
      txTasks: this.txTasks,
      routes: this.#routes,
      replay: this.#replay,
      remote: this.#remote,
      logging: this.logging,
      recorders: this.recorders,
      recorderBench: (caller) => this.#recorderBench(caller),
      modbus: this.modbus,
      follow: (selectors, caller) => this.follow(selectors, plainCaller(caller)),
      benchOf,
      isOwnBench: ({ project }) => project === null || project === identity.projectRoot,
    });
    const { clock, scheduler } = this.#options;
    const links = this.#diagnostics;
    const keyOf: FlashOptions['keyOf'] = async (seedKey, level, seed) =>
      client().computeKey(seedKey, level, seed);
    const readFiles: FlashOptions['readFiles'] = async (request) =>
      loader().readFlashFiles(request);
    const flashRuns = new FlashRuns({ clock, scheduler, links, readFiles, keyOf });
    bindDiagnosticsOperations(dispatcher, {
      flash: new FlashJobs(jobs, flashRuns),
      links,
      calls: new UdsCalls({
        links,
        readDids: async (file) => loader().readDids(file),
        keyOf,
      }),
      requests: new Requests(links, async (file) => loader().readPayload(file)),
      ecus: this.ecus,
      benchOf,
    });
  }

  /** Starts an ECU of the demonstration on a channel that the vehicle uses. */
  serveDemoEcu(name: DemoName, channel: Channel): void {
    for (const { ecu, on, entry, model } of demoEcuStarts) {
      if (on !== name) continue;
      const found: FoundChannel = { channel, text: name, kind: 'name', resolved: null };
      this.ecus.start(found, { file: 'built-in', model, ecu, link: linkOf(entry) });
    }
  }

  async follow(selectors: readonly string[], caller: PlainCaller): Promise<readonly number[]> {
    const found = await this.#followed(selectors, caller);
    return found.map(({ slot }) => slot);
  }

  /** Starts the recorders of the bench file. */
  async startRecorders(): Promise<void> {
    const own: PlainCaller = { face: 'cli', project: null };
    try {
      const { recorders } = await this.#options.benchOf(own)();
      await this.recorders.addAll(recorders, this.#recorderBench(own));
    } catch (thrown) {
      const error = BusbarError.from(thrown).toRecord();
      this.#options.onEvent('recorders_not_started', { error });
    }
  }

  #recorderBench(caller: PlainCaller): RecorderBench {
    return {
      name: async () => (await this.#options.benchOf(caller)()).project_id ?? 'bench',
      follow: (selectors) => this.#followed(selectors, caller),
    };
  }

  #followed(selectors: readonly string[], caller: PlainCaller): Promise<readonly Channel[]> {
    const { channels, benchOf } = this.#options;
    const bench = benchOf(caller);
    return Promise.all(
      selectors.map(async (selector) => (await channels.follow(selector, bench)).channel),
    );
  }

  async consumersOf(slot: number): Promise<readonly Consumer[]> {
    const recording = await Promise.all([
      this.logging.consumersOf(slot),
      this.recorders.consumersOf(slot),
    ]);
    return [...this.#remote.consumers(slot), ...recording.flat()];
  }

  async close(): Promise<void> {
    this.gateways.close();
    this.#diagnostics.closeAll();
    this.ecus.stopAll();
    await this.#replay.close();
    await this.#remote.close();
    this.recorderThreads.close();
    await Promise.all([this.logging.stop(), this.recorders.stopAll()]);
    await this.recorderThreads.settled();
    await this.modbus.close();
  }
}
