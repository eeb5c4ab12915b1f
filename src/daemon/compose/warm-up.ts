import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { OpenSystemTimer } from '../../base/native/system-timer.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { TimerAlarm } from '../../base/schedule/timer-alarm.ts';
import type { Bench } from '../../bench/bench-record.ts';
import { builtInBench } from '../../bench/built-in-bench.ts';
import { ChannelTable } from '../../bench/channel-table.ts';
import { Broker } from '../../broker/broker.ts';
import { DriverRegistry } from '../../drivers/registry.ts';
import type { ProjectImage } from '../../gateway/image/project-image.ts';
import { InstanceRegistry } from '../../gateway/instances/instance-registry.ts';
import { warmUpGateway, warmUpProject } from '../../gateway/service/warm-up-gateway.ts';
import { locateHome } from '../../link/home.ts';
import { type Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { operations } from '../../operations/registry.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import { BenchServices } from './bench-services.ts';

type Step = readonly [operation: string, input: Readonly<Record<string, unknown>>];

const sender = 'SIM00001/0';
const receiver = 'SIM00001/1';
const unacknowledged = 'SIM00001/2';

const networks = { from: 'segment-a', to: 'segment-b' } as const;

const bench: Bench = {
  ...builtInBench,
  networks: { [networks.from]: { channel: sender }, [networks.to]: { channel: receiver } },
};

/** Differs from all task ids, one of which counts up: equal ids would collide. */
const foreignId = 0x18ff50e6;
const fast = { bitrate: 1_000_000 };
const cyclic = { channel: sender, period_us: 1000, data: '0011223344556677' };

const opening: readonly Step[] = [
  ['channel.open', { channel: sender, ...fast }],
  ['channel.open', { channel: receiver, ...fast }],
  ['tx-task.add', { ...cyclic, id: 0x100, pattern: 'fixed' }],
  ['tx-task.add', { ...cyclic, id: 0x101, pattern: 'increment_data' }],
  ['tx-task.add', { ...cyclic, id: 0x102, pattern: 'increment_id' }],
  ['tx-task.add', { channel: sender, frame: '103#0102', period_us: 1000, pattern: 'random_data' }],
];

const meanwhile: readonly Step[] = [
  ['message.send', { channel: receiver, id: foreignId, extended: true, data: '01' }],
  ['message.send', { channel: receiver, frame: '18FF50E5#DEADBEEF', count: 2, cycle_us: 500 }],
  ['channel.list', {}],
  ['channel.show', { selector: sender }],
  ['tx-task.list', {}],
  ['channel.open', { channel: unacknowledged }],
  ['tx-task.add', { ...cyclic, channel: unacknowledged, id: 0x104, pattern: 'increment_data' }],
  ['message.send', { channel: unacknowledged, frame: '321#0102', count: 4 }],
  ['channel.close', { selector: unacknowledged }],
];

/** Enough calls for V8 to optimize the code. */
const rounds = 12;

const flood: Step = [
  'message.send',
  { channel: receiver, id: foreignId, extended: true, data: '0102030405060708', count: 3000 },
];

const ending: readonly Step[] = [
  ['tx-task.remove', { task_id: 'task-1' }],
  ['channel.close', { selector: sender }],
  ['channel.close', { selector: receiver }],
];

/** No step names a file, so nothing is read or written. */
const identity: DaemonIdentity = {
  home: locateHome({}),
  projectRoot: '',
  sources: { commit: null, committed_at_us: null },
  instanceId: '',
  pid: process.pid,
  startedAtUs: 0,
  unixOffsetUs: 0,
};

export interface WarmUpOptions {
  readonly clock: Clock;
  readonly openTimer: OpenSystemTimer;
  readonly buildProject: (text: string) => Promise<ProjectImage>;
  readonly onDefect: (thrown: unknown) => void;
}

const unreachable = (): never => {
  throw new BusbarError('internal_error', { message: 'A warm-up has no other threads' });
};

/**
 * Runs typical work on a separate bench before callers are served. V8 compiles a function on
 * its first call and optimizes it after many, and both exceed a deadline. A failed step is only
 * reported: the first deadlines will be late. The bench is closed at the end, so no channel,
 * task or event remains.
 */
export const warmUp = async (options: WarmUpOptions): Promise<void> => {
  const { clock, openTimer, buildProject, onDefect } = options;
  const project = buildProject(warmUpProject(networks));
  project.catch(() => undefined);
  const alarm = new TimerAlarm(openTimer);
  const scheduler = new Scheduler({ clock, alarm, onError: onDefect });
  const broker = new Broker();
  const drivers = new DriverRegistry(() => ({ clock, scheduler, broker, addresses: [] }));
  const audience = { opening: async () => {}, closed: async () => {} };
  const channels = new ChannelTable({ clock, scheduler, drivers, broker, onDefect, audience });
  const jobs = new JobRunner({ clock, maxRunning: 0, maxKept: 0, onDefect });
  const instances = new InstanceRegistry();
  const benchSource = async () => bench;
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
    startDecoder: unreachable,
    onEvent: () => {},
    onDefect,
  });
  const dispatcher = new Dispatcher(operations);
  services.bind(dispatcher);
  const { signal } = new AbortController();
  const caller: Caller = { face: 'cli', project: null, signal, report: () => {} };
  const take = async (steps: readonly Step[]): Promise<void> => {
    for (const [operation, input] of steps) {
      await dispatcher.execute(operation, input, caller);
    }
  };
  try {
    await take(opening);
    for (let round = 0; round < rounds; round++) await take(meanwhile);
    await take([flood]);
    await warmUpGateway(services.gateways, instances, await project, benchSource, clock);
    await take(ending);
  } catch (thrown) {
    onDefect(thrown);
  } finally {
    await jobs.close();
    await services.close();
    await channels.closeAll();
    await drivers.close();
    alarm.stop();
  }
};
