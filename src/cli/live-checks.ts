import { pause } from '../base/clock/pause.ts';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import type { CheckEntry } from '../check/check-file.ts';
import type { CheckReport } from '../check/check-record.ts';
import { atFile, fieldInFile } from '../check/read-check-file.ts';
import type { Connection } from '../link/connection.ts';
import type { Job } from '../operations/job.ts';
import { durationUs } from '../transmit/send-request.ts';
import type { CliContext } from './context.ts';
import { noLink } from './daemon-commands.ts';
import { openLink } from './daemon-link.ts';
import { onInterruption } from './interruption.ts';
import { terminalBar } from './terminal-bar.ts';

/** Interval of status requests. */
const pollMs = 100;

export interface LiveCheckCall {
  /** Path of the check file, and its checks, which are the first ones. */
  readonly file: string | undefined;
  readonly own: readonly CheckEntry[];
  readonly more: readonly CheckEntry[];
  readonly seconds: number;
  readonly channels: readonly string[] | undefined;
}

export const liveSeconds = (text: string): number => {
  const seconds = durationUs('for', text) / 1e6;
  if (seconds >= 0.001) return seconds;
  throw invalidArgument('for', 'for must be at least 1ms', { reason: 'out_of_range' });
};

const entryField = /^checks\[(\d+)\]\.check/;

/** The daemon has one list of checks; here they are in a file and in options. */
const atOption = ({ file, own }: LiveCheckCall, thrown: unknown): unknown => {
  const error = BusbarError.from(thrown);
  const { field } = error.details;
  const [, number] = entryField.exec(String(field)) ?? [];
  if (number === undefined) return thrown;
  const index = Number(number);
  const isOwn = index < own.length;
  const named = isOwn ? fieldInFile(index) : `check[${index - own.length}]`;
  const message = error.message.replace(entryField, named);
  return atFile(file, error.with({ message, details: { ...error.details, field: named } }));
};

const reportOf = ({ state, result, error }: Job): CheckReport => {
  if (state === 'succeeded') return result as CheckReport;
  throw error === null ? new BusbarError('operation_cancelled') : BusbarError.fromRecord(error);
};

const follow = async (
  link: Connection,
  { job_id }: Job,
  { seconds }: LiveCheckCall,
  context: CliContext,
  signal: AbortSignal,
): Promise<CheckReport> => {
  const bar = terminalBar(context);
  try {
    for (;;) {
      await pause(context.clock, pollMs, signal);
      const job = (await link.call('job.show', { job_id }, context.project)) as Job;
      if (job.finished_at_us !== null) return reportOf(job);
      bar?.show(Math.floor(((job.progress?.percent ?? 0) * seconds) / 100), Math.ceil(seconds));
    }
  } catch (thrown) {
    if (signal.aborted) await link.call('job.cancel', { job_id }, context.project);
    throw thrown;
  } finally {
    bar?.clear();
  }
};

/** Lets the daemon check its channels. An interruption cancels the job. */
export const checkChannels = async (
  call: LiveCheckCall,
  context: CliContext,
): Promise<CheckReport> => {
  const link = await openLink(context.home, context.clock);
  if (!link) throw noLink(context);
  const interruption = new AbortController();
  const forget = onInterruption(() => interruption.abort());
  const { own, more, seconds, channels } = call;
  try {
    const request = { checks: [...own, ...more], seconds, ...(channels && { channels }) };
    const job = (await link.call('check.start', request, context.project)) as Job;
    return await follow(link, job, call, context, interruption.signal);
  } catch (thrown) {
    throw atOption(call, thrown);
  } finally {
    forget();
    link.close();
  }
};
