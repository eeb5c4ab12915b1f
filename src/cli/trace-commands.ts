import { extname } from 'node:path';
import { pause } from '../base/clock/pause.ts';
import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import type { NamedPath } from '../base/files/path-refusals.ts';
import { createAsc } from '../trace/asc/asc-writer.ts';
import { createBlf } from '../trace/blf/create-blf.ts';
import { createCandump } from '../trace/candump/candump-writer.ts';
import { channelKey, channelKeysOf, channelText } from '../trace/channel-key.ts';
import { convertTrace, TraceFilter } from '../trace/convert-trace.ts';
import { createMf4 } from '../trace/mf4/create-mf4.ts';
import {
  type CreateTrace,
  type TraceFormat,
  type TraceReader,
  traceFiles,
  traceFormats,
} from '../trace/trace-format.ts';
import type { Conversion } from '../trace/trace-records.ts';
import { summarizeTrace } from '../trace/trace-summary.ts';
import type { CliContext, Outcome } from './context.ts';
import { TraceInput, TraceOutput } from './trace-files.ts';
import { lossOf, openInput, underBar, withInterruption } from './trace-work.ts';

const noSuchChannel = (text: string, met: Iterable<number>): BusbarError => {
  const channels = [...met].sort((a, b) => a - b).map(channelText);
  const others =
    channels.length > 0 ? `available: ${channels.join(', ')}` : 'the file has no events';
  return invalidArgument('channel', `The input has no channel ${text}; ${others}`, {
    reason: 'no_such_channel',
    channel: text,
    file_channels: channels,
  });
};

class ChosenChannels {
  readonly filter: TraceFilter | undefined;
  readonly #texts: readonly string[];

  constructor(texts: readonly string[] = []) {
    this.#texts = texts;
    const wrong = texts.find((text) => channelKeysOf(text).length === 0);
    if (wrong !== undefined) throw invalidArgument('channel', `No such channel: ${wrong}`);
    if (texts.length > 0) this.filter = new TraceFilter(texts.flatMap(channelKeysOf));
  }

  check(): void {
    const met = this.filter?.met ?? new Set();
    const absent = this.#texts.find((text) => !channelKeysOf(text).some((key) => met.has(key)));
    if (absent !== undefined) throw noSuchChannel(absent, met);
  }
}

type Values = Readonly<Record<string, unknown>>;

const writers: Readonly<Record<TraceFormat, CreateTrace>> = {
  asc: createAsc,
  blf: createBlf,
  candump: createCandump,
  mf4: createMf4,
};

const formatFor = (output: string, to: unknown): TraceFormat => {
  const ending = extname(output).toLowerCase();
  const format = to ?? traceFormats.find((each) => traceFiles[each].ending === ending);
  if (format) return format as TraceFormat;
  const known = traceFormats.map((each) => traceFiles[each].ending).join(', ');
  throw invalidArgument('to', `--to is required unless the output file ends in ${known}`);
};

export const traceInfo = async ({ file }: Values, context: CliContext): Promise<Outcome> => {
  const path = file as string;
  const named = { path, field: 'file' };
  const input = new TraceInput(named);
  try {
    const reader = openInput(input, named);
    const summary = await underBar(input, context, (progress) => summarizeTrace(reader, progress));
    return { result: { file: path, size: input.size, bytes: reader.position, ...summary } };
  } finally {
    input.close();
  }
};

interface ConversionSettings {
  readonly format: TraceFormat;
  readonly output: NamedPath;
  readonly overwrite: boolean;
  readonly chosen: ChosenChannels;
}

/** Writes a temporary file and renames it at the end; a failure leaves no file. */
const convert = (
  input: TraceInput,
  reader: TraceReader,
  { format, output, overwrite, chosen }: ConversionSettings,
  context: CliContext,
): Promise<Conversion & { bytes: number }> =>
  withInterruption(async (refuseInterrupted) => {
    const file = new TraceOutput(output, input, overwrite);
    try {
      const writer = writers[format](file, {
        startUnixUs: reader.startUnixUs,
        channelName: (channel, bus) => reader.channelNames?.get(channelKey(channel, bus)) ?? null,
      });
      const conversion = await underBar(
        input,
        context,
        (progress) => convertTrace(reader, writer, progress, chosen.filter),
        refuseInterrupted,
      );
      // The program that writes the pipe may have been interrupted as well.
      await pause(context.clock, 0);
      refuseInterrupted();
      chosen.check();
      file.finish();
      return { ...conversion, bytes: file.size };
    } finally {
      file.discard();
    }
  });

export const traceConvert = async (values: Values, context: CliContext): Promise<Outcome> => {
  const path = values.output as string;
  const chosen = new ChosenChannels(values.channel as readonly string[] | undefined);
  const format = formatFor(path, values.to);
  const named = { path: values.input as string, field: 'input' };
  const input = new TraceInput(named);
  try {
    const reader = openInput(input, named);
    const plan: ConversionSettings = {
      format,
      output: { path, field: 'output' },
      overwrite: values.overwrite === true,
      chosen,
    };
    const { bytes, ...conversion } = await convert(input, reader, plan, context);
    const { skipped, gaps, missed, malformed, errors, truncated } = reader.account;
    return {
      result: {
        input: values.input,
        input_format: reader.format,
        output: path,
        output_format: format,
        started_at_us: reader.startUnixUs,
        bytes,
        ...conversion,
        skipped,
        gaps,
        missed,
        malformed,
        flaws: errors,
        truncated,
      },
      failure: lossOf('input', values.input as string, path, reader.account),
    };
  } finally {
    input.close();
  }
};
