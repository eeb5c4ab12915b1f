import type { Clock } from '../base/clock/clock.ts';
import { pause } from '../base/clock/pause.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Connection } from '../link/connection.ts';
import { recordedDaemon } from '../link/daemon-record.ts';
import { readWebMemory } from '../link/web-memory.ts';
import type { DaemonStatus } from '../operations/daemon.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import { stoppedDaemonStatus, stoppedWebStatus } from '../operations/stopped-records.ts';
import type { CliContext, Outcome } from './context.ts';
import { endingMs, stopDaemon, untilEnded, untilGone } from './daemon-end.ts';
import { linkStartingDaemon, openLink } from './daemon-link.ts';

const withoutDaemon: Readonly<Record<string, (context: CliContext) => unknown>> = {
  'daemon.status': ({ home }) => stoppedDaemonStatus(home.directory),
  'daemon.stop': ({ home }) => stoppedDaemonStatus(home.directory),
  'web.status': ({ home }) => stoppedWebStatus(readWebMemory(home.webState)),
  'web.stop': ({ home }) => stoppedWebStatus(readWebMemory(home.webState)),
};

export interface CallWatch {
  /** Called before the call is sent. Closing the link abandons the call. */
  linked(link: Connection): void;
  progress(progress: unknown): void;
}

interface Link {
  readonly link: Connection | null;
  readonly answer: Promise<unknown>;
  readonly started: boolean;
}

const linkFor = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
  watch: CallWatch | undefined,
): Promise<Link> => {
  const { home, clock, project } = context;
  const call = (link: Connection): Promise<unknown> => {
    watch?.linked(link);
    return link.call(command.id, values, project, (progress) => watch?.progress(progress));
  };
  let started = false;
  if (command.daemon !== 'start') {
    // Sent before the handshake, the call could be executed long after it timed out here.
    const first = { operation: command.id, arguments: values, project };
    const link = await openLink(home, clock, command.observes ? first : undefined);
    if (!link) return { link, answer: Promise.resolve(), started };
    return { link, answer: command.observes ? link.first : call(link), started };
  }
  const link = await linkStartingDaemon(home, clock, async () => {
    const { spawnDetachedDaemon } = await import('./daemon-process.ts');
    await spawnDetachedDaemon({ ...context, realtime: false });
    started = true;
  });
  return { link, answer: call(link), started };
};

/** Stops a daemon that cannot be called, because of its version or a lost socket. */
const endForeignDaemon = async (error: BusbarError, context: CliContext): Promise<void> => {
  const { pid } = error.details;
  if (typeof pid !== 'number') throw error;
  process.kill(pid, 'SIGTERM');
  await untilEnded(pid, context.clock);
};

/** A daemon is running but its socket is missing. */
const outOfReach = (pid: number): BusbarError =>
  new BusbarError('daemon_unreachable', {
    message: `A daemon is running (pid ${pid}) but its socket is missing`,
    details: { reason: 'hung_up', pid },
    hint: 'busbar daemon stop ends it.',
  });

const notRunning = ({ home }: CliContext): BusbarError =>
  new BusbarError('daemon_unreachable', {
    message: 'No daemon is running',
    details: { home: home.directory },
    hint: 'busbar daemon start starts one.',
  });

/** Error for a missing link: no daemon, or one without a socket. */
export const noLink = (context: CliContext): BusbarError => {
  const running = recordedDaemon(context.home);
  return running === null ? notRunning(context) : outOfReach(running);
};

const answerWithoutDaemon = (command: CliCommand, context: CliContext): unknown => {
  // Read once, since the daemon can stop between two reads.
  const running = recordedDaemon(context.home);
  if (running !== null) throw outOfReach(running);
  const answer = withoutDaemon[command.id];
  if (!answer) throw notRunning(context);
  return answer(context);
};

/** Stops a daemon that was started only for a failed command. */
const undoStart = async (link: Connection, error: BusbarError, clock: Clock): Promise<void> => {
  if (error.code === 'already_running') return;
  const { web } = (await link.call('daemon.status', {}, null)) as DaemonStatus;
  if (web === 'running') return;
  await stopDaemon(link, clock);
};

const answerOf = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
  watch: CallWatch | undefined,
): Promise<unknown> => {
  const { link, answer, started } = await linkFor(command, values, context, watch);
  if (!link) return answerWithoutDaemon(command, context);
  try {
    const result = await answer;
    if (command.id === 'daemon.stop') await untilGone(link, context.clock);
    return result;
  } catch (thrown) {
    if (started) await undoStart(link, BusbarError.from(thrown), context.clock);
    link.close();
    throw thrown;
  }
};

/** Calls the daemon, and starts it if the command does so. */
export const callDaemon = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
  watch?: CallWatch,
): Promise<Outcome> => {
  const deadlineUs = context.clock.monotonicUs() + endingMs * 1000;
  for (;;) {
    try {
      return { result: await answerOf(command, values, context, watch) };
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const passing = command.id in withoutDaemon && error.details.reason === 'hung_up';
      const isInTime = context.clock.monotonicUs() < deadlineUs;
      const unreachable = passing ? !isInTime : error.code === 'version_mismatch';
      if (command.id === 'daemon.stop' && unreachable) await endForeignDaemon(error, context);
      else if (!passing || !isInTime) throw error;
      await pause(context.clock, 10);
    }
  }
};
