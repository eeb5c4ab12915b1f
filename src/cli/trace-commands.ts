import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { channelKeysOf, channelText } from '../trace/channel-key.ts';
import { convertTrace, TraceFilter } from '../trace/convert-trace.ts';
import { summarizeTrace } from '../trace/trace-summary.ts';
import type { CliContext, Outcome } from './context.ts';
import { TraceInput } from './trace-files.ts';
import { lossOf, openInput, underBar } from './trace-work.ts';
import { accountOf, formatFor, writeTrace } from './write-trace.ts';

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
  readonly keys: readonly number[] | null;
  readonly #texts: readonly string[];

  constructor(texts: readonly string[] = []) {
    this.#texts = texts;
    const wrong = texts.find((text) => channelKeysOf(text).length === 0);
    if (wrong !== undefined) throw invalidArgument('channel', `No such channel: ${wrong}`);
    this.keys = texts.length > 0 ? texts.flatMap(channelKeysOf) : null;
  }

  check(met: ReadonlySet<number>): void {
    const absent = this.#texts.find((text) => !channelKeysOf(text).some((key) => met.has(key)));
    if (absent !== undefined) throw noSuchChannel(absent, met);
  }
}

type Values = Readonly<Record<string, unknown>>;

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

export const traceConvert = async (values: Values, context: CliContext): Promise<Outcome> => {
  const path = values.output as string;
  const chosen = new ChosenChannels(values.channel as readonly string[] | undefined);
  const format = formatFor(path, values.to);
  const { filterIn } = await import('./trace-databases.ts');
  const condition = filterIn(values, context);
  const named = { path: values.input as string, field: 'input' };
  const input = new TraceInput(named);
  try {
    const reader = openInput(input, named);
    const rows = condition?.over(reader) ?? null;
    const filter = chosen.keys || rows ? new TraceFilter(chosen.keys, rows?.filter) : undefined;
    const { bytes, ...conversion } = await writeTrace(
      { input, reader, format, output: path, overwrite: values.overwrite === true },
      context,
      (writer, progress) => convertTrace(reader, writer, progress, filter),
      () => {
        chosen.check(filter?.met ?? new Set());
        rows?.check(filter?.met ?? new Set());
      },
    );
    return {
      result: {
        input: values.input,
        input_format: reader.format,
        output: path,
        output_format: format,
        started_at_us: reader.startUnixUs,
        bytes,
        ...conversion,
        ...accountOf(reader),
      },
      failure: lossOf('input', values.input as string, path, reader.account),
    };
  } finally {
    input.close();
  }
};
