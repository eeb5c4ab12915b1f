import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { within } from '../../base/clock/within.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ThreadActivity } from '../../base/native/thread-activity.ts';
import { product } from '../../base/product.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { TimerAlarm } from '../../base/schedule/timer-alarm.ts';
import type { Channel } from '../../bench/channel.ts';
import { type BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import { DeviceAddresses } from '../../bench/device-addresses.ts';
import { globalBenchDirectory } from '../../bench/load-bench.ts';
import { Broker } from '../../broker/broker.ts';
import { startDemoVehicle } from '../../demo/start-vehicle.ts';
import { DriverRegistry } from '../../drivers/registry.ts';
import { BuilderRuns } from '../../gateway/build/builder-runs.ts';
import { offerInstances } from '../../gateway/instances/instance-offer.ts';
import { InstanceRegistry } from '../../gateway/instances/instance-registry.ts';
import { takeCrash } from '../../gateway/plugins/board-file.ts';
import { offerSimulations } from '../../gateway/runtime/simulation-offer.ts';
import { type DaemonRecord, startTicksOf, writeDaemonRecord } from '../../link/daemon-record.ts';
import { collectGarbage, inlineMore, keepCompiledCode } from '../../link/engine-flags.ts';
import { Dispatcher, type PlainCaller } from '../../operations/dispatcher.ts';
import { limits } from '../../operations/limits.ts';
import { operations } from '../../operations/registry.ts';
import type { WebConfiguration } from '../../web/web-configuration.ts';
import { benchHealth } from '../health/bench-health.ts';
import { enterRealtime } from '../health/enter-realtime.ts';
import { startPulse } from '../health/pulse.ts';
import type { ChannelReport, DaemonHealth } from '../health/reports.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { DaemonLog } from '../lifecycle/daemon-log.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import { RunningCalls } from '../threads/running-calls.ts';
import type { ThreadReport } from '../threads/supervisor.ts';
import { startFailed, ThreadStart } from '../threads/thread-start.ts';
import { BenchServices } from './bench-services.ts';
import type { BenchThreadOptions } from './bench-thread-options.ts';
import { rehearse } from './rehearsal.ts';
import type { BenchOffer, BuilderThreadData, RecorderThreadData } from './thread-contracts.ts';
import { WorkerThreads } from './worker-threads.ts';

/** How long the client thread may take to close its files and streams. */
const clientShutDownMs = 3000;

const reportOf = (channel: Channel): ChannelReport => ({
  record: channel.record(),
  stats: channel.stats(),
});

/** The daemon as its main thread holds it: channels and deadlines here, clients elsewhere. */
export class BenchThread {
  readonly #options: BenchThreadOptions;
  readonly #clock = new SystemClock();
  readonly #log: DaemonLog;
  readonly #identity: DaemonIdentity;
  readonly #alarm: TimerAlarm;
  readonly #scheduler: Scheduler;
  readonly #threads: WorkerThreads;
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
  #resumeWeb: WebConfiguration | null = null;
  #realtime: DaemonHealth['realtime'] = 'off';
  #stopping: Promise<void> | undefined;

  constructor(options: BenchThreadOptions) {
    this.#options = options;
    this.#log = new DaemonLog(this.#clock, options.writeLog);
    this.#identity = {
      home: options.home,
      projectRoot: options.projectRoot,
      instanceId: randomUUID(),
      pid: process.pid,
      startedAtUs: this.#clock.unixUs(),
      unixOffsetUs: this.#clock.unixOffsetUs,
    };
    const clock = this.#clock;
    const activity = new ThreadActivity();
    this.#clientStart = new ThreadStart({
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
      startThread: options.startThread,
      loaderData: () => ({
        realtime: this.#isRealtime,
        projectRoot: this.#identity.projectRoot,
        unixOffsetUs: this.#identity.unixOffsetUs,
        demo: options.demo,
      }),
      clientData: (reader) => ({
        realtime: this.#isRealtime,
        identity: this.#identity,
        packagedConsole: options.packagedConsole,
        packagedSite: options.packagedSite,
        resumeWeb: this.#resumeWeb,
        broker: {
          memory: this.#broker.memory.buffer,
          reader,
          channels: this.#channels.entries,
        },
      }),
      offer: () => this.#offer(),
      onClientOnline: () => this.#clientStart.reach('loads its client thread'),
      onClientGone: () => {
        this.#calls.cancelAll();
        this.#instances.releaseAll();
      },
      onDeath: (report) => this.#reportDeath(report),
      onDefect: (thrown) => this.#log.defect(thrown),
    });
    let jobs = 0;
    this.#jobs = new JobRunner({
      clock,
      newId: () => `job-${++jobs}`,
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
      benchOf: (caller) => this.#benchOf(caller),
      startRecorder: (data) =>
        options.startThread('recorder', {
          ...data,
          realtime: this.#isRealtime,
        } satisfies RecorderThreadData),
      onEvent: (event, fields) => this.#log.event(event, fields),
      onDefect: (thrown) => this.#log.defect(thrown),
    });
    this.#dispatcher = new Dispatcher(operations);
    this.#services.bind(this.#dispatcher);
  }

  #benchOf({ project }: Pick<PlainCaller, 'project'>): BenchSource {
    return async () =>
      this.#threads.loader.loadBench({
        project: project ?? this.#identity.projectRoot,
        global: globalBenchDirectory(process.env),
      });
  }

  #reportDeath({ name, restarts, last_failure }: ThreadReport): void {
    this.#log.event('thread_died', { thread: name, restarts, failure: last_failure });
    // Without it no caller can be served; a daemon that never was ready had better not be.
    if (name === 'client')
      this.#clientStart.fail(startFailed(`its client thread died: ${last_failure}`));
  }

  /** A crash takes the whole process down: only the next one can say what it was. */
  #reportCrash(): void {
    const crash = takeCrash(this.#options.home.pluginCalls);
    if (crash) this.#log.event('plugin_crashed', { ...crash });
  }

  /** Resolves once callers are served. */
  async start(): Promise<void> {
    const { realtime, compilerThreads = [] } = this.#options;
    if (realtime) {
      // Before what handles frames is rehearsed, and with that optimized.
      inlineMore();
      this.#realtime = await enterRealtime(compilerThreads, (reason) =>
        this.#log.event('realtime_refused', { reason }),
      );
    }
    this.#reportCrash();
    this.#clientStart.reach('starts its threads');
    this.#threads.start();
    await Promise.all([
      this.#clientStart.wait(),
      // A daemon that has just been started is not to say that it lacks its loader.
      this.#threads.settled(),
      // Only where deadlines are strict: it takes a second and more.
      this.#isRealtime && this.#rehearse(),
    ]);
    // What starting has left behind goes now: later it would hold up a deadline.
    collectGarbage();
    keepCompiledCode();
    const { home, projectRoot } = this.#options;
    const { pid, startedAtUs } = this.#identity;
    const record: DaemonRecord = {
      pid,
      started_ticks: startTicksOf(pid),
      version: product.version,
      started_at_us: startedAtUs,
      project_root: projectRoot,
    };
    writeDaemonRecord(home, record);
    this.#log.event('started', { pid, version: product.version, project_root: projectRoot });
    if (this.#options.demo) {
      await startDemoVehicle({
        channels: this.#channels,
        clock: this.#clock,
        scheduler: this.#scheduler,
      });
    }
    // Last, because bringing the record to the disk may take longer than any deadline.
    startPulse(this.#scheduler, this.#clock, this.#options.watchdog);
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

  /** Opens all log files anew: a rotation has renamed them. Whatever fails, nothing ends. */
  async reopenLogs(): Promise<void> {
    const ownLog = this.#options.reopenLog?.().then((path) => {
      this.#log.event('log_reopened', { path });
    });
    // A client thread that is being started anew opens its log by itself.
    const webLog = this.#threads.client?.reopenLog();
    for (const reopened of await Promise.allSettled([ownLog, webLog])) {
      if (reopened.status === 'fulfilled') continue;
      this.#log.event('log_not_reopened', { message: String(reopened.reason.message) });
    }
  }

  /** Ends everything in order: callers first, then the bench, then the threads. */
  stop(): Promise<void> {
    this.#stopping ??= this.#shutDown();
    return this.#stopping;
  }

  async #shutDown(): Promise<void> {
    this.#options.onStopping?.();
    const clientEnd = Promise.resolve(this.#threads.client?.shutDown()).catch(() => undefined);
    await within(this.#clock, clientShutDownMs, clientEnd);
    await this.#jobs.close();
    await this.#services.close();
    await this.#channels.closeAll();
    await this.#drivers.close();
    this.#alarm.stop();
    await this.#threads.stop();
    rmSync(this.#options.home.record, { force: true });
    this.#log.event('stopped', { pid: this.#identity.pid });
    this.#options.onStopped();
  }

  #offer(): BenchOffer {
    return {
      ...offerInstances(this.#instances, this.#services.gateways, (caller: PlainCaller) =>
        this.#benchOf(caller),
      ),
      ...offerSimulations(this.#instances, this.#services.simulations, (caller: PlainCaller) =>
        this.#benchOf(caller),
      ),
      clientStage: (stage) => this.#clientStart.reach(stage),
      clientReady: () => this.#clientStart.succeed(),
      clientFailed: (error) => this.#clientStart.fail(BusbarError.fromRecord(error)),
      invoke: (id, input, caller, call) => this.#invoke(id, input, caller, call),
      cancel: (call, reason) => this.#calls.cancel(call, reason),
      daemonHealth: () => this.#health(),
      channelReports: () => this.#channels.channels.map(reportOf),
      channelReport: async (selector, caller) =>
        reportOf((await this.#channels.find(selector, this.#benchOf(caller))).channel),
      followChannels: (selectors, caller) => this.#services.follow(selectors, caller),
      consumersOf: (slot) => this.#services.consumersOf(slot),
      growHistory: (capacity) => this.#channels.growHistory(capacity),
      rememberWeb: (configuration) => {
        this.#resumeWeb = configuration;
      },
      requestStop: () => void this.stop(),
    };
  }

  #invoke(id: string, input: unknown, caller: PlainCaller, call: number | null): Promise<unknown> {
    if (call === null) return this.#dispatcher.invoke(id, input, caller);
    return this.#calls.run(call, (signal) => {
      const report = (progress: unknown): void =>
        void this.#threads.client?.progress(call, progress);
      return this.#dispatcher.invoke(id, input, { ...caller, signal, report });
    });
  }

  get #isRealtime(): boolean {
    return this.#realtime === 'active';
  }

  #health(): DaemonHealth {
    return benchHealth({
      pid: this.#identity.pid,
      uptime_us: this.#clock.unixUs() - this.#identity.startedAtUs,
      realtime: this.#realtime,
      threads: this.#threads.reports,
      scheduler: this.#scheduler,
    });
  }
}
