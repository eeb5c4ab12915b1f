import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { within } from '../../base/clock/pause.ts';
import { SystemClock } from '../../base/clock/system-clock.ts';
import type { OpenSystemTimer } from '../../base/native/system-timer.ts';
import { ThreadActivity } from '../../base/native/thread-activity.ts';
import { product } from '../../base/product.ts';
import { fineDurationRecord } from '../../base/schedule/duration-record.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { TimerAlarm } from '../../base/schedule/timer-alarm.ts';
import { type BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import { DeviceAddresses } from '../../bench/device-addresses.ts';
import { benchPlaces } from '../../bench/load-bench.ts';
import { Broker } from '../../broker/broker.ts';
import type { DemoFiles } from '../../demo/demo-bench.ts';
import { startDemoVehicle } from '../../demo/vehicle.ts';
import { DriverRegistry } from '../../drivers/registry.ts';
import { BuilderPool } from '../../gateway/build/builder-pool.ts';
import { InstanceRegistry } from '../../gateway/instances/instance-registry.ts';
import { offerInstances } from '../../gateway/instances/instance-rpc.ts';
import { reportCrash } from '../../gateway/plugins/call-board.ts';
import type { DiagnosticSlots } from '../../lin/diagnostic-slots.ts';
import { startTicksOf, writeDaemonRecord } from '../../link/daemon-record.ts';
import { collectGarbage, inlineMore, keepCompiledCode } from '../../link/engine-flags.ts';
import type { Home } from '../../link/home.ts';
import type { SourceRecord } from '../../link/version-record.ts';
import { Dispatcher, type PlainCaller } from '../../operations/dispatcher.ts';
import { limits } from '../../operations/limits.ts';
import { operations } from '../../operations/registry.ts';
import type { WebConfiguration } from '../../web/web-configuration.ts';
import { startPulse, type Watchdog } from '../health/pulse.ts';
import { type DaemonHealth, recorderReports, reportOf } from '../health/reports.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { DaemonLog, reopenLogs } from '../lifecycle/daemon-log.ts';
import { DaemonStop } from '../lifecycle/daemon-stop.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import { RealtimeScheduling } from '../threads/priorities.ts';
import type { ThreadName } from '../threads/supervisor.ts';
import { ThreadStart } from '../threads/thread-start.ts';
import { WorkerThreads } from '../threads/worker-threads.ts';
import { BenchServices } from './bench-services.ts';
import type {
  BenchRpc,
  BuilderThreadData,
  ClientRpc,
  ClientThreadData,
  LoaderRpc,
  LoaderThreadData,
  RecorderThreadData,
} from './thread-contracts.ts';
import { warmUp } from './warm-up.ts';

const recordersMs = 3000;

export interface BenchThreadOptions {
  readonly home: Home;
  readonly projectRoot: string;
  readonly sources: SourceRecord;
  readonly startThread: (name: ThreadName, workerData: unknown) => Worker;
  readonly packagedConsole: string;
  readonly packagedSite: string;
  readonly openTimer: OpenSystemTimer;
  readonly realtime: boolean;
  readonly compilerThreads?: readonly number[];
  readonly demo?: DemoFiles | undefined;
  /** Reports the startup stage, worded to follow "it". */
  readonly onStartStage?: (stage: string) => void;
  readonly writeLog?: (line: string) => void;
  readonly reopenLog?: () => Promise<string>;
  /** Fed by a deadline of this thread; a hung thread stops feeding it. */
  readonly watchdog?: Watchdog | undefined;
  readonly onStopping?: () => void;
  readonly onStopped: () => void;
}

/** The daemon as seen by its main thread: channels and deadlines run here, clients elsewhere. */
export class BenchThread {
  readonly #options: BenchThreadOptions;
  readonly #clock = new SystemClock();
  readonly #log: DaemonLog;
  readonly #identity: DaemonIdentity;
  readonly #alarm: TimerAlarm;
  readonly #scheduler: Scheduler;
  readonly #threads: WorkerThreads<BenchRpc, ClientRpc, LoaderRpc>;
  readonly #jobs: JobRunner;
  readonly #services: BenchServices;
  readonly #dispatcher: Dispatcher;
  readonly #broker = new Broker();
  readonly #drivers: DriverRegistry;
  readonly #addresses = new DeviceAddresses();
  readonly #channels: ChannelTable;
  readonly #demoSlots = new Map<number, DiagnosticSlots>();
  readonly #instances = new InstanceRegistry(() => this.#clock.unixUs());
  readonly #clientStart: ThreadStart;
  readonly #realtime: RealtimeScheduling;
  readonly #end: DaemonStop;
  #resumeWeb: WebConfiguration | null = null;

  constructor(options: BenchThreadOptions) {
    this.#options = options;
    this.#log = new DaemonLog(this.#clock, options.writeLog);
    this.#identity = {
      home: options.home,
      projectRoot: options.projectRoot,
      sources: options.sources,
      instanceId: randomUUID(),
      pid: process.pid,
      startedAtUs: this.#clock.unixUs(),
      unixOffsetUs: this.#clock.unixOffsetUs,
    };
    const clock = this.#clock;
    const activity = new ThreadActivity();
    this.#realtime = new RealtimeScheduling({
      compilerThreads: options.compilerThreads,
      onRefused: (reason) => this.#log.event('realtime_refused', { reason }),
    });
    this.#clientStart = new ThreadStart({
      thread: 'client',
      clock,
      hasWorked: () => activity.hasWorked(),
      onStage: (stage) => options.onStartStage?.(stage),
    });
    this.#alarm = new TimerAlarm(options.openTimer);
    this.#scheduler = new Scheduler({
      clock,
      alarm: this.#alarm,
      onError: (error) => this.#log.defect(error),
    });
    this.#threads = new WorkerThreads({
      clock,
      broker: this.#broker,
      startLoader: () =>
        options.startThread('loader', {
          realtime: this.#realtime.isActive,
          projectRoot: this.#identity.projectRoot,
          unixOffsetUs: this.#identity.unixOffsetUs,
          demo: options.demo,
        } satisfies LoaderThreadData),
      startClient: (reader) =>
        options.startThread('client', {
          realtime: this.#realtime.isActive,
          identity: this.#identity,
          packagedConsole: options.packagedConsole,
          packagedSite: options.packagedSite,
          resumeWeb: this.#resumeWeb,
          broker: { memory: this.#broker.memory.buffer, reader, channels: this.#channels.entries },
        } satisfies ClientThreadData),
      offer: () => this.#offer(),
      onClientOnline: () => this.#clientStart.reach('loading its client thread'),
      onClientGone: () => this.#instances.releaseAll(),
      onDeath: (report) => {
        const { name, restarts, last_failure } = report;
        this.#log.event('thread_died', { thread: name, restarts, failure: last_failure });
        this.#clientStart.died(report);
      },
      onDefect: (thrown) => this.#log.defect(thrown),
    });
    this.#jobs = new JobRunner({
      clock,
      maxRunning: limits.jobsRunning,
      maxKept: limits.jobsKept,
      onDefect: (thrown) => this.#log.defect(thrown),
    });
    const scheduler = this.#scheduler;
    const addresses = this.#addresses;
    this.#drivers = new DriverRegistry((kind) => ({
      clock,
      scheduler,
      get addresses() {
        return addresses.of(kind);
      },
      broker: this.#broker,
    }));
    this.#channels = new ChannelTable({
      clock,
      scheduler,
      drivers: this.#drivers,
      broker: this.#broker,
      beforeLook: () => addresses.read(this.#benchOf({ project: null })),
      onDefect: (thrown) => this.#log.defect(thrown),
      attachFiles: async (channel, files) =>
        this.#threads.servingClient.attachFiles(channel, files),
      audience: {
        opening: async (entry) => {
          await Promise.all([
            this.#threads.client?.channelOpening(entry),
            this.#services.recorderThreads.channelOpening(entry),
          ]);
        },
        closed: async (slot) => {
          await Promise.all([
            this.#threads.client?.channelClosed(slot),
            this.#services.recorderThreads.channelClosed(slot),
          ]);
        },
      },
    });
    this.#services = new BenchServices({
      clock,
      scheduler,
      broker: this.#broker,
      channels: this.#channels,
      instances: this.#instances,
      jobs: this.#jobs,
      identity: this.#identity,
      loader: () => this.#threads.loader,
      client: () => this.#threads.servingClient,
      benchOf: (caller) => this.#benchOf(caller),
      startRecorder: (data) =>
        options.startThread('recorder', {
          ...data,
          realtime: this.#realtime.isActive,
        } satisfies RecorderThreadData),
      startDecoder: () => options.startThread('decoder', {}),
      demoSlots: (slot) => this.#demoSlots.get(slot),
      onEvent: (event, fields) => this.#log.event(event, fields),
      onDefect: (thrown) => this.#log.defect(thrown),
    });
    this.#dispatcher = new Dispatcher(operations);
    this.#services.bind(this.#dispatcher);
    this.#end = new DaemonStop({
      clock,
      onStopping: options.onStopping,
      shutDownClients: () => this.#threads.client?.shutDown(),
      jobs: this.#jobs,
      services: this.#services,
      channels: this.#channels,
      drivers: this.#drivers,
      alarm: this.#alarm,
      threads: this.#threads,
      recordFile: options.home.record,
      log: this.#log,
      pid: this.#identity.pid,
      onStopped: options.onStopped,
    });
  }

  #benchOf({ project }: Pick<PlainCaller, 'project'>): BenchSource {
    return async () =>
      this.#threads.loader.loadBench(benchPlaces(project, this.#identity.projectRoot, process.env));
  }

  async start(): Promise<void> {
    const { realtime, demo, watchdog } = this.#options;
    const clock = this.#clock;
    const scheduler = this.#scheduler;
    if (realtime) {
      // Before the warm-up, which is when V8 optimizes the frame path.
      inlineMore();
      await this.#realtime.enter();
    }
    if (!this.#realtime.isActive) await this.#realtime.shortenSlices();
    // The warm-up takes a second or more, which only strict deadlines justify.
    await Promise.all([this.#startThreads(), this.#realtime.isActive && this.#warmUp()]);
    // Collects startup garbage now; later it would delay a deadline.
    collectGarbage();
    keepCompiledCode();
    this.#publish();
    await startDemoVehicle({
      place: demo,
      channels: this.#channels,
      clock,
      scheduler,
      slots: this.#demoSlots,
      isScheduled: (slot) => this.#services.linSchedules.on(slot) !== undefined,
      onOpened: (name, channel) => this.#services.serveDemoEcu(name, channel),
    });
    // A disk that does not respond delays the start only so much.
    await within(clock, recordersMs, this.#services.startRecorders());
    // Last, because writing the record to disk can exceed a deadline.
    startPulse(scheduler, clock, watchdog);
  }

  async #startThreads(): Promise<void> {
    reportCrash(this.#options.home.pluginCalls, (call) =>
      this.#log.event('plugin_crashed', { ...call }),
    );
    this.#clientStart.reach('starting its threads');
    this.#threads.start();
    // A daemon that has just started must not report its loader as missing.
    await Promise.all([this.#clientStart.wait(), this.#threads.settled()]);
  }

  #publish(): void {
    const { home, projectRoot, pid, startedAtUs } = this.#identity;
    writeDaemonRecord(home, {
      pid,
      started_ticks: startTicksOf(pid),
      version: product.version,
      started_at_us: startedAtUs,
      project_root: projectRoot,
    });
    this.#log.event('started', { pid, version: product.version, project_root: projectRoot });
  }

  #warmUp(): Promise<void> {
    const { openTimer, projectRoot, startThread } = this.#options;
    const onDefect = (thrown: unknown): void => this.#log.defect(thrown);
    const builder = new BuilderPool(
      () => startThread('builder', { projectRoot } satisfies BuilderThreadData),
      onDefect,
    );
    return warmUp({
      clock: this.#clock,
      openTimer,
      buildProject: (text) => builder.run((remote) => remote.build(text)),
      onDefect,
    });
  }

  reopenLogs(): Promise<void> {
    return reopenLogs({
      log: this.#log,
      own: this.#options.reopenLog,
      web: () => this.#threads.client?.reopenLog(),
    });
  }

  stop(): Promise<void> {
    return this.#end.stop();
  }

  #health(): DaemonHealth {
    const threads = this.#threads.reports;
    const { scheduledTasks, lateness } = this.#scheduler;
    return {
      status: threads.every((thread) => thread.state === 'running') ? 'ok' : 'degraded',
      pid: this.#identity.pid,
      uptime_us: this.#clock.unixUs() - this.#identity.startedAtUs,
      realtime: this.#realtime.state,
      threads: [...threads],
      scheduler: {
        tasks: scheduledTasks,
        lateness_us: fineDurationRecord(lateness.summary()),
        last_minute_lateness_us: fineDurationRecord(this.#scheduler.lastMinuteLateness()),
      },
    };
  }

  #offer(): BenchRpc {
    const benchOf = (caller: PlainCaller): BenchSource => this.#benchOf(caller);
    return {
      ...offerInstances(this.#instances, this.#services.gateways, benchOf),
      ...this.#clientStart.offer,
      execute: (operation, input, caller, control) =>
        this.#dispatcher.execute(operation, input, { ...caller, ...control }),
      daemonHealth: () => this.#health(),
      channelReports: () => this.#channels.channels.map(reportOf),
      recorderFiles: async (name) =>
        (await this.#services.recorders.show(name)).files.map(({ file }) => file),
      recorderReports: () =>
        recorderReports(this.#services.logging.latest, this.#services.recorders.latest),
      channelReport: async (selector, caller) =>
        reportOf((await this.#channels.find(selector, benchOf(caller))).channel),
      attachDatabase: (selector, database, caller) =>
        this.#channels.attachDatabase(selector, database, benchOf(caller)),
      detachDatabase: (selector, name, caller) =>
        this.#channels.detachDatabase(selector, name, benchOf(caller)),
      describeDatabase: (database) => this.#channels.describeDatabase(database),
      forgetDatabase: (name) => this.#channels.forgetDatabase(name),
      followChannels: (selectors, caller) => this.#services.follow(selectors, caller),
      consumersOf: (slot) => this.#services.consumersOf(slot),
      taskSource: (taskId) => this.#services.txTasks.sourceOf(taskId),
      changeTask: (taskId, change) => this.#services.txTasks.change(taskId, change),
      addTasks: (channel, requests, caller) =>
        this.#services.txTasks.addAll(channel, requests, benchOf(caller)),
      checkLinMaster: (channel, caller) =>
        this.#services.linSchedules.check(channel, benchOf(caller)),
      startLinSchedule: (request, caller) =>
        this.#services.linSchedules.start(request, benchOf(caller)),
      linScheduleId: (text, caller) => this.#services.linSchedules.idOf(text, benchOf(caller)),
      linScheduleSource: (id) => this.#services.linSchedules.sourceOf(id),
      changeLinSchedule: (id, change) => this.#services.linSchedules.change(id, change),
      linSchedules: () => this.#services.linSchedules.list(),
      stopLinSchedule: (id) => this.#services.linSchedules.stop(id),
      growHistory: (capacity) => this.#channels.growHistory(capacity),
      reportEcus: () => this.#services.listenedEcus.reportAll(),
      rememberWeb: (configuration) => {
        this.#resumeWeb = configuration;
      },
      requestStop: () => void this.stop(),
    };
  }
}
