import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import type { CheckEntry } from '../check/check-file.ts';
import type { CheckReport } from '../check/check-record.ts';
import { atFile, fieldInFile } from '../check/read-check-file.ts';
import type { JobProgress } from '../operations/job.ts';
import { durationUs } from '../transmit/send-request.ts';
import type { CliContext } from './context.ts';
import { followJob } from './follow-job.ts';

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

/** Lets the daemon check its channels. An interruption cancels the job. */
export const checkChannels = async (
  call: LiveCheckCall,
  context: CliContext,
): Promise<CheckReport> => {
  const { own, more, seconds, channels } = call;
  const request = { checks: [...own, ...more], seconds, ...(channels && { channels }) };
  const progressOf = ({ percent }: JobProgress) =>
    [Math.floor((percent * seconds) / 100), Math.ceil(seconds)] as const;
  try {
    const job = await followJob({ operation: 'check.start', request, progressOf }, context);
    return job.result as CheckReport;
  } catch (thrown) {
    throw atOption(call, thrown);
  }
};
