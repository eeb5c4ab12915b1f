import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Connection } from '../link/connection.ts';
import { readWebMemory } from '../link/web-memory.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import { stoppedDaemonStatus, stoppedWebStatus } from '../operations/stopped-records.ts';
import type { CliContext, Outcome } from './context.ts';
import { linkStartingDaemon, openLink, pause } from './daemon-link.ts';
import { isRunning } from './process-state.ts';

/** Answers to commands that need no daemon to be true. */
const withoutDaemon: Readonly<Record<string, (context: CliContext) => unknown>> = {
  'daemon.status': ({ home }) => stoppedDaemonStatus(home.directory),
  'daemon.stop': ({ home }) => stoppedDaemonStatus(home.directory),
  'web.status': ({ home }) => stoppedWebStatus(readWebMemory(home.webState)),
  'web.stop': ({ home }) => stoppedWebStatus(readWebMemory(home.webState)),
};

const linkFor = (command: CliCommand, context: CliContext): Promise<Connection | null> => {
  const { home, clock } = context;
  if (command.daemon !== 'start') return openLink(home, clock);
  return linkStartingDaemon(home, clock, async () => {
    const { spawnDetachedDaemon } = await import('./daemon-process.ts');
    const report = await spawnDetachedDaemon({ ...context, realtime: false });
    if ('error' in report) throw BusbarError.fromRecord(report.error);
  });
};

/** How long a daemon that has hung up may take to end. */
const endingMs = 10_000;

/** A daemon answers while it still runs; its command is done when the process has ended. */
const untilEnded = async (pid: number, clock: Clock): Promise<void> => {
  const deadlineUs = clock.monotonicUs() + endingMs * 1000;
  while (isRunning(pid)) {
    if (clock.monotonicUs() > deadlineUs) {
      throw new BusbarError('daemon_unreachable', {
        message: `The daemon (pid ${pid}) does not end`,
        details: { pid },
      });
    }
    await pause(clock, 5);
  }
};

/** Ends a daemon that cannot be talked to, because it is of another version. */
const endForeignDaemon = async (error: BusbarError, context: CliContext): Promise<void> => {
  const { pid } = error.details;
  if (typeof pid !== 'number') throw error;
  process.kill(pid, 'SIGTERM');
  await untilEnded(pid, context.clock);
};

const answerOf = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<unknown> => {
  const link = await linkFor(command, context);
  if (!link) {
    const answer = withoutDaemon[command.id];
    if (answer) return answer(context);
    throw new BusbarError('daemon_unreachable', {
      message: 'No daemon is running',
      details: { home: context.home.directory },
    });
  }
  try {
    const result = await link.call(command.id, values, context.project);
    if (command.id === 'daemon.stop') {
      await link.closed();
      await untilEnded(link.daemon.pid, context.clock);
    }
    return result;
  } finally {
    link.close();
  }
};

/** Has the daemon carry out a command, with as much of a daemon as the command needs. */
export const callDaemon = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> => {
  const deadlineUs = context.clock.monotonicUs() + endingMs * 1000;
  for (;;) {
    try {
      return { result: await answerOf(command, values, context) };
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const patient = command.id in withoutDaemon && context.clock.monotonicUs() < deadlineUs;
      if (command.id === 'daemon.stop' && error.code === 'version_mismatch') {
        await endForeignDaemon(error, context);
      } else if (!patient || error.details.reason !== 'hung_up') {
        throw error;
      }
      // It is on its way down; soon the answer is the one without a daemon.
      await pause(context.clock, 10);
    }
  }
};
