import type { FlashReport } from '../diagnostics/service/flash-record.ts';
import type { UdsDidValue, UdsRead } from '../diagnostics/uds-record.ts';
import type { JobProgress } from '../operations/job.ts';
import type { DaemonCommand } from './context.ts';
import { callDaemon } from './daemon-commands.ts';
import { followJob } from './follow-job.ts';
import { renderResult } from './render/result.ts';
import { renderText } from './render/text.ts';

/** Fields of all responses that decide how a command ends. */
interface Answer {
  readonly positive?: boolean | null;
  readonly result?: unknown;
}

/** Prints the response of an ECU. The command fails without an error if it is negative or has no value. */
export const askEcu: DaemonCommand = async (command, values, context) => {
  const outcome = await callDaemon(command, values, context);
  if (!('result' in outcome)) return outcome;
  const { format, palette, write } = context;
  const { positive, result } = outcome.result as Answer;
  const read = command.id === 'uds.read' ? (result as UdsRead | null) : null;
  if (read && format === 'text') write(textOf(read));
  else write(renderResult(format, outcome.result, palette, command.columns));
  const hasValues = read?.values.every(({ value, label }) => (value ?? label) !== null) ?? true;
  return { exitCode: positive !== false && hasValues ? 0 : 1 };
};

const shownValue = ({ value, label, quality }: UdsDidValue): string => value ?? label ?? quality;

/** One value alone, for scripts; several with their names. */
const textOf = ({ values }: UdsRead): string => {
  const [only, ...others] = values;
  if (only && others.length === 0) return `${shownValue(only)}\n`;
  const names = values.map(({ name, did }) => name ?? did);
  const width = Math.max(...names.map((name) => name.length));
  const lines = values.map(
    (each, index) => `${names[index]?.padEnd(width)}  ${shownValue(each)}\n`,
  );
  return lines.join('');
};

/** Shows the progress of a flash job, and its report at the end. */
export const flashEcu: DaemonCommand = async (command, values, context) => {
  const call = {
    operation: command.id,
    request: values,
    progressOf: ({ bytes, total_bytes }: JobProgress) => [bytes, total_bytes] as const,
  };
  const job = await followJob(call, context);
  return { result: job, text: renderText(job.result as FlashReport, context.palette) };
};
