import { randomUUID } from 'node:crypto';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { ThreadActivity } from '../../base/native/thread-activity.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { TimerAlarm } from '../../base/schedule/timer-alarm.ts';
import { type BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import { DeviceAddresses } from '../../bench/device-addresses.ts';
import { benchPlaces } from '../../bench/load-bench.ts';
import { Broker } from '../../broker/broker.ts';
import { startDemoVehicle } from '../../demo/start-vehicle.ts';
import { DriverRegistry } from '../../drivers/registry.ts';
import { BuilderRuns } from '../../gateway/build/builder-runs.ts';
import { offerInstances } from '../../gateway/instances/instance-offer.ts';
import { InstanceRegistry } from '../../gateway/instances/instance-registry.ts';
import { reportCrash } from '../../gateway/plugins/board-file.ts';
import { offerSimulations } from '../../gateway/runtime/simulation-offer.ts';
import { Dispatcher, type PlainCaller } from '../../operations/dispatcher.ts';
import { limits } from '../../operations/limits.ts';
import { operations } from '../../operations/registry.ts';
import type { WebConfiguration } from '../../web/web-configuration.ts';
import { benchHealth } from '../health/bench-health.ts';
import { startPulse } from '../health/pulse.ts';
import { reportOf } from '../health/reports.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { DaemonLog } from '../lifecycle/daemon-log.ts';
import { startDaemon } from '../lifecycle/daemon-start.ts';
import { DaemonStop } from '../lifecycle/daemon-stop.ts';
import { reopenLogs } from '../lifecycle/reopen-logs.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import { RealtimeScheduling } from '../threads/realtime-scheduling.ts';
import { offerCalls, RunningCalls } from '../threads/running-calls.ts';
import { ThreadStart } from '../threads/thread-start.ts';
import { WorkerThreads } from '../threads/worker-threads.ts';
import { BenchServices } from './bench-services.ts';
import type { BenchThreadOptions } from './bench-thread-options.ts';
import { rehearse } from './rehearsal.ts';
import type {
  BenchOffer,
  BuilderThreadData,
  ClientOffer,
  ClientThreadData,
  LoaderOffer,
  LoaderThreadData,
  RecorderThreadData,
} from './thread-contracts.ts';

/** The daemon as its main thread holds it: channels and deadlines here, clients elsewhere. */
export class BenchThread {
  readonly #options: BenchThreadOptions;
  readonly #clock = new SystemClock();
  readonly #log: DaemonLog;
  readonly #identity: DaemonIdentity;
  readonly #alarm: TimerAlarm;
  readonly #scheduler: Scheduler;
  readonly #threads: WorkerThreads<BenchOffer, ClientOffer, LoaderOffer>;
  readonly #jobs: JobRunner;
  readonly #services: BenchServices;
  readonly #dispatcher: Dispatcher;
  readonly #broker = new Broker();
  readonly #drivers: DriverRegistry;
  readonly #addresses = new DeviceAddresses();
  readonly #channels: ChannelTable;
  readonly #calls = new RunningCalls();
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
          broker: {
            memory: this.#broker.memory.buffer,
            reader,
            channels: this.#channels.entries,
          },
        } satisfies ClientThreadData),
      offer: () => this.#offer(),
      onClientOnline: () => this.#clientStart.reach('loads its client thread'),
      onClientGone: () => {
        this.#calls.cancelAll();
        this.#instances.releaseAll();
      },
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
      audience: {
        opening: async (entry) => {
          await Promise.all([
            this.#threads.client?.channelOpening(entry),
            this.#services.logging.channelOpening(entry),
          ]);
        },
        closed: async (slot) => {
          await Promise.all([
            this.#threads.client?.channelClosed(slot),
            this.#services.logging.channelClosed(slot),
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

  /** Resolves once callers are served. */
  start(): Promise<void> {
    const { realtime, home, demo, watchdog } = this.#options;
    const clock = this.#clock;
    const scheduler = this.#scheduler;
    return startDaemon({
      realtime,
      scheduling: this.#realtime,
      startThreads: () => {
        reportCrash(home.pluginCalls, (call) => this.#log.event('plugin_crashed', { ...call }));
        this.#clientStart.reach('starts its threads');
        this.#threads.start();
        // A daemon that has just been started is not to say that it lacks its loader.
        return Promise.all([this.#clientStart.wait(), this.#threads.settled()]);
      },
      rehearse: () => this.#rehearse(),
      identity: this.#identity,
      log: this.#log,
      startBench: () =>
        startDemoVehicle({ place: demo, channels: this.#channels, clock, scheduler }),
      startPulse: () => startPulse(scheduler, clock, watchdog),
    });
  }

  #rehearse(): Promise<void> {
    const { openTimer, projectRoot, startThread } = this.#options;
    const onDefect = (thrown: unknown): void => this.#log.defect(thrown);
    const builder = new BuilderRuns(
      () => startThread('builder', { projectRoot } satisfies BuilderThreadData),
      onDefect,
    );
    return rehearse({
      clock: this.#clock,
      openTimer,
      buildProject: (text) => builder.run((remote) => remote.build(text)),
      onDefect,
    });
  }

  /** Opens all log files anew: a rotation has renamed them. */
  reopenLogs(): Promise<void> {
    return reopenLogs({
      log: this.#log,
      own: this.#options.reopenLog,
      web: () => this.#threads.client?.reopenLog(),
    });
  }

  /** Ends everything in order. */
  stop(): Promise<void> {
    return this.#end.stop();
  }

  #offer(): BenchOffer {
    const benchOf = (caller: PlainCaller): BenchSource => this.#benchOf(caller);
    return {
      ...offerInstances(this.#instances, this.#services.gateways, benchOf),
      ...offerSimulations(this.#instances, this.#services.simulations, benchOf),
      ...offerCalls(
        this.#dispatcher,
        this.#calls,
        (call, value) => void this.#threads.client?.progress(call, value),
      ),
      ...this.#clientStart.offer,
      daemonHealth: () =>
        benchHealth({
          identity: this.#identity,
          clock: this.#clock,
          realtime: this.#realtime.state,
          threads: this.#threads.reports,
          scheduler: this.#scheduler,
        }),
      channelReports: () => this.#channels.channels.map(reportOf),
      channelReport: async (selector, caller) =>
        reportOf((await this.#channels.find(selector, benchOf(caller))).channel),
      followChannels: (selectors, caller) => this.#services.follow(selectors, caller),
      consumersOf: (slot) => this.#services.consumersOf(slot),
      growHistory: (capacity) => this.#channels.growHistory(capacity),
      rememberWeb: (configuration) => {
        this.#resumeWeb = configuration;
      },
      requestStop: () => void this.stop(),
    };
  }
}
