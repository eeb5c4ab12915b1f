import { join } from 'node:path';
import { SystemClock } from '../base/clock/system-clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { threadsBeside } from '../base/native/process-threads.ts';
import { loadSystemTimer } from '../base/native/system-timer.ts';
import { openUnixDatagrams } from '../base/native/unix-datagrams.ts';
import { BenchThread } from '../daemon/compose/bench-thread.ts';
import {
  becomeDaemon,
  redirectStandardStreams,
  Starter,
} from '../daemon/lifecycle/daemon-process.ts';
import { ServiceManager, watchdogPeriodUs } from '../daemon/lifecycle/service-manager.ts';
import type { DemoFiles } from '../demo/demo-bench.ts';
import { locateHome, prepareHome } from '../link/home.ts';
import { readSources } from '../link/version-record.ts';
import { distribution, startThread } from './program.ts';

/** V8's threads exist before anything else runs. */
const compilerThreads = threadsBeside(process.pid);

const flags = new Set(process.argv.slice(2));

/**
 * Most of what the loader reads stays: a larger young generation would only be copied more often,
 * and keep its memory.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

/** `--demo`, or `--demo=` with the directory of its bench file. */
const demoPlace = (): DemoFiles | undefined => {
  const flag = [...flags].find((candidate) => /^--demo(=|$)/.test(candidate));
  return flag === undefined ? undefined : { directory: flag.slice('--demo='.length) || null };
};

/** Any error is a failed startup, except a second daemon. */
const startError = (thrown: unknown): BusbarError => {
  const known: readonly string[] = ['already_running', 'daemon_start_failed'];
  if (thrown instanceof BusbarError && known.includes(thrown.code)) return thrown;
  console.error(thrown);
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new BusbarError('daemon_start_failed', {
    message: `The daemon could not be started: ${reason}`,
    cause: thrown,
  });
};

/** Service manager of a foreground daemon; child processes do not inherit it. */
const findServiceManager = async (isDetached: boolean): Promise<ServiceManager | undefined> => {
  const { NOTIFY_SOCKET } = process.env;
  delete process.env.NOTIFY_SOCKET;
  if (!NOTIFY_SOCKET || isDetached) return undefined;
  return new ServiceManager(await openUnixDatagrams(NOTIFY_SOCKET));
};

/**
 * Path of the directory in which the daemon was started. The process then leaves it: Node
 * starts no thread in a removed directory, even if it is created again, and the file system
 * could not be unmounted.
 */
const takeProjectRoot = (): string => {
  const directory = process.cwd();
  process.chdir('/');
  return directory;
};

const run = async (): Promise<void> => {
  const starter = new Starter();
  try {
    // A stop before startup exits immediately.
    let stop = (): void => process.exit(0);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop());
    let reopenLogs = (): void => undefined;
    process.on('SIGHUP', () => reopenLogs());
    const home = locateHome(process.env);
    const isDetached = !flags.has('--foreground');
    const projectRoot = takeProjectRoot();
    prepareHome(home);
    await becomeDaemon(home.lock);
    const clock = new SystemClock();
    const manager = await findServiceManager(isDetached);
    const watchdogUs = manager ? watchdogPeriodUs(process.env, process) : null;
    const bench = new BenchThread({
      home,
      projectRoot,
      sources: readSources(distribution),
      startThread: (name, workerData) =>
        startThread(name, { workerData, ...(name === 'loader' && { resourceLimits }) }),
      packagedConsole: join(distribution, 'console'),
      packagedSite: join(distribution, 'site'),
      openTimer: await loadSystemTimer(clock),
      realtime: flags.has('--realtime'),
      compilerThreads,
      demo: demoPlace(),
      // In the foreground, the log is the starter's stderr.
      ...(isDetached && {
        reopenLog: async () => {
          await redirectStandardStreams(home.log);
          return home.log;
        },
      }),
      ...(manager &&
        watchdogUs !== null && {
          watchdog: { periodUs: watchdogUs, alive: () => manager.alive() },
        }),
      onStopping: () => manager?.stopping(),
      onStartStage: (stage) => starter.report({ stage }),
      // Threads, locks and sockets end with the process.
      onStopped: () => process.exit(0),
    });
    stop = () => void bench.stop();
    reopenLogs = () => {
      manager?.reloading(clock.monotonicUs());
      void bench.reopenLogs().then(() => manager?.ready());
    };
    await bench.start();
    manager?.ready();
    starter.report({ ready: { pid: process.pid } });
    if (isDetached) starter.release();
    else starter.follow(() => stop());
  } catch (thrown) {
    const error = startError(thrown);
    starter.report({ error: error.toRecord() });
    process.exit(error.row.exit);
  }
};

void run();
