import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { OpenSystemTimer } from '../../base/native/system-timer.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { TimerAlarm } from '../../base/schedule/timer-alarm.ts';
import { ChannelTable } from '../../bench/channel-table.ts';
import { Broker } from '../../broker/broker.ts';
import { DriverRegistry } from '../../drivers/registry.ts';
import type { ProjectImage } from '../../gateway/image/project-image.ts';
import { InstanceRegistry } from '../../gateway/instances/instance-registry.ts';
import { rehearsedProject, rehearseGateway } from '../../gateway/service/rehearse-gateway.ts';
import { locateHome } from '../../link/home.ts';
import { Dispatcher, type PlainCaller } from '../../operations/dispatcher.ts';
import { operations } from '../../operations/registry.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { playScript } from '../rehearsal/play-script.ts';
import { rehearsedBench, rehearsedNetworks } from '../rehearsal/rehearsal-script.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import { RunningCalls } from '../threads/running-calls.ts';
import { BenchServices } from './bench-services.ts';

/** Nothing is read or written: no operation of a rehearsal names a file. */
const identity: DaemonIdentity = {
  home: locateHome({}),
  projectRoot: '',
  sources: { commit: null, committed_at_us: null },
  instanceId: '',
  pid: process.pid,
  startedAtUs: 0,
  unixOffsetUs: 0,
};

export interface RehearsalOptions {
  readonly clock: Clock;
  readonly openTimer: OpenSystemTimer;
  /** Builds a project, given by its text, in another thread. */
  readonly buildProject: (text: string) => Promise<ProjectImage>;
  readonly onDefect: (thrown: unknown) => void;
}

const unreachable = (): never => {
  throw new BusbarError('internal_error', { message: 'A rehearsal has no other threads' });
};

/**
 * Sets up a bench thread beside the one there is, plays the script of the rehearsal on it and takes it
 * down again. Nothing of it can be seen afterwards: channels, tasks and events are those of a bench
 * that goes away with them.
 */
export const rehearse = async (options: RehearsalOptions): Promise<void> => {
  const { clock, openTimer, buildProject, onDefect } = options;
  const project = buildProject(rehearsedProject(rehearsedNetworks));
  project.catch(() => undefined);
  const alarm = new TimerAlarm(openTimer);
  const scheduler = new Scheduler({ clock, alarm, onError: onDefect });
  const broker = new Broker();
  const drivers = new DriverRegistry(() => ({ clock, scheduler, broker, addresses: [] }));
  const audience = { opening: async () => {}, closed: async () => {} };
  const channels = new ChannelTable({ clock, scheduler, drivers, broker, onDefect, audience });
  const jobs = new JobRunner({ clock, maxRunning: 0, maxKept: 0, onDefect });
  const instances = new InstanceRegistry();
  const benchSource = async () => rehearsedBench;
  const services = new BenchServices({
    clock,
    scheduler,
    broker,
    channels,
    instances,
    jobs,
    identity,
    loader: unreachable,
    client: unreachable,
    benchOf: () => benchSource,
    startRecorder: unreachable,
    onEvent: () => {},
    onDefect,
  });
  const dispatcher = new Dispatcher(operations);
  services.bind(dispatcher);
  const caller: PlainCaller = { face: 'cli', project: null };
  const calls = new RunningCalls();
  try {
    await playScript({
      operations,
      invoke: (operation, input) =>
        calls.run(0, (signal) =>
          dispatcher.invoke(operation, input, { ...caller, signal, report: () => {} }),
        ),
      runGateway: async () =>
        rehearseGateway(services.gateways, instances, await project, benchSource, clock),
      onDefect,
    });
  } finally {
    await jobs.close();
    await services.close();
    await channels.closeAll();
    await drivers.close();
    alarm.stop();
  }
};
