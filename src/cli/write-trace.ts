import { extname } from 'node:path';
import { pause } from '../base/clock/pause.ts';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import { createAsc } from '../trace/asc/asc-writer.ts';
import { createBlf } from '../trace/blf/create-blf.ts';
import { createCandump } from '../trace/candump/candump-writer.ts';
import { channelKey } from '../trace/channel-key.ts';
import { createMf4 } from '../trace/mf4/create-mf4.ts';
import {
  type CreateTrace,
  type TraceFormat,
  type TraceReader,
  type TraceWriter,
  traceFiles,
  traceFormats,
} from '../trace/trace-format.ts';
import type { TraceProgress } from '../trace/trace-summary.ts';
import type { CliContext } from './context.ts';
import { type TraceInput, TraceOutput } from './trace-files.ts';
import { underBar, withInterruption } from './trace-work.ts';

const writers: Readonly<Record<TraceFormat, CreateTrace>> = {
  asc: createAsc,
  blf: createBlf,
  candump: createCandump,
  mf4: createMf4,
};

/** The format that is named, or that of the ending. */
export const formatFor = (output: string, to: unknown): TraceFormat => {
  const ending = extname(output).toLowerCase();
  const format = to ?? traceFormats.find((each) => traceFiles[each].ending === ending);
  if (format) return format as TraceFormat;
  const known = traceFormats.map((each) => traceFiles[each].ending).join(', ');
  throw invalidArgument('to', `--to is required unless the output file ends in ${known}`);
};

/** What a reader could not read, as results contain it. */
export const accountOf = ({ account }: TraceReader) => {
  const { skipped, gaps, missed, malformed, errors, truncated } = account;
  return { skipped, gaps, missed, malformed, flaws: errors, truncated };
};

interface WrittenTrace {
  readonly input: TraceInput;
  readonly reader: TraceReader;
  /** The reader whose account is reported, if there are several. */
  readonly reported?: TraceReader;
  readonly format: TraceFormat;
  readonly output: string;
  readonly overwrite: boolean;
}

/**
 * Writes a temporary file and renames it at the end; a failure leaves no file. `check` can still
 * refuse what the whole input shows.
 */
export const writeTrace = <Result>(
  { input, reader, reported = reader, format, output, overwrite }: WrittenTrace,
  context: CliContext,
  write: (writer: TraceWriter, progress: TraceProgress) => Promise<Result>,
  check: (result: Result) => void,
): Promise<Result & { bytes: number }> =>
  withInterruption(async (refuseInterrupted) => {
    const file = new TraceOutput({ path: output, field: 'output' }, input, overwrite);
    try {
      const writer = writers[format](file, {
        startUnixUs: reader.startUnixUs,
        channelName: (channel, bus) => reader.channelNames?.get(channelKey(channel, bus)) ?? null,
        attachments: (format === 'mf4' && reported.attachments?.()) || [],
      });
      const result = await underBar(
        input,
        context,
        (progress) => write(writer, progress),
        refuseInterrupted,
      );
      // The program that writes the pipe may have been interrupted as well.
      await pause(context.clock, 0);
      refuseInterrupted();
      check(result);
      file.finish();
      return { ...result, bytes: file.size };
    } finally {
      file.discard();
    }
  });
