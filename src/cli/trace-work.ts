import { pause } from '../base/clock/pause.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { NamedPath } from '../base/files/path-refusals.ts';
import { openTrace } from '../trace/open-trace.ts';
import type { ByteSource, TraceReader, TraceStats } from '../trace/trace-format.ts';
import type { TraceProgress } from '../trace/trace-summary.ts';
import type { CliContext } from './context.ts';
import { onInterruption } from './interruption.ts';
import { terminalBar } from './terminal-bar.ts';
import type { TraceInput } from './trace-files.ts';

const turnUs = 50_000;

export const underBar = async <T>(
  input: TraceInput,
  context: CliContext,
  work: (progress: TraceProgress) => Promise<T>,
  onTurn?: () => void,
): Promise<T> => {
  const { clock } = context;
  const bar = terminalBar(context);
  let nextUs = clock.monotonicUs() + turnUs;
  try {
    return await work(async (position) => {
      if (clock.monotonicUs() < nextUs) return;
      nextUs = clock.monotonicUs() + turnUs;
      if (input.size !== null) bar?.show(Math.min(position, input.size), input.size);
      await pause(clock, 0);
      onTurn?.();
    });
  } finally {
    bar?.clear();
  }
};

/** Passes work a function that throws once the command was interrupted. */
export const withInterruption = async <T>(
  work: (refuseInterrupted: () => void) => Promise<T>,
): Promise<T> => {
  let isInterrupted = false;
  const forget = onInterruption(() => {
    isInterrupted = true;
  });
  try {
    return await work(() => {
      if (isInterrupted) throw new BusbarError('operation_cancelled');
    });
  } finally {
    forget();
  }
};

export const openInput = (input: ByteSource, { path, field }: Required<NamedPath>): TraceReader => {
  try {
    return openTrace(input);
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    if (error.code !== 'invalid_trace') throw thrown;
    throw error.with({
      message: `${path}: ${error.message}`,
      details: { ...error.details, field, path },
    });
  }
};

export const lossOf = (
  field: string,
  input: string,
  output: string,
  { malformed, truncated }: Pick<TraceStats, 'malformed' | 'truncated'>,
): BusbarError | undefined => {
  if (malformed === 0 && !truncated) return undefined;
  const losses = [
    ...(malformed > 0 ? [`${malformed} invalid ${malformed === 1 ? 'part' : 'parts'}`] : []),
    ...(truncated ? ['the file is truncated'] : []),
  ];
  return new BusbarError('trace_damaged', {
    message: `${input} could only be read in part: ${losses.join(', ')}; the rest is in ${output}`,
    details: { field, path: input, output, malformed, truncated },
  });
};
