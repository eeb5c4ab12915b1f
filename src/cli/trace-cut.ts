import { parseDuration } from '../base/clock/duration.ts';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import { cutTrace } from '../condition/cut-trace.ts';
import { conditionText } from '../condition/print-condition.ts';
import type { CliContext, Outcome } from './context.ts';
import { conditionIn } from './trace-databases.ts';
import { TraceInput } from './trace-files.ts';
import { lossOf, openInput } from './trace-work.ts';
import { accountOf, formatFor, writeTrace } from './write-trace.ts';

type Values = Readonly<Record<string, unknown>>;

const durationOf = (name: 'before' | 'after', value: unknown): number => {
  const ns = parseDuration(value as string);
  if (ns !== null) return ns;
  throw invalidArgument(name, `${name} must be a duration such as 2s or 500ms`, {
    reason: 'invalid_duration',
    value,
  });
};

export const traceCut = async (values: Values, context: CliContext): Promise<Outcome> => {
  const { file, output } = values as { file: string; output: string };
  const beforeNs = durationOf('before', values.before);
  const afterNs = durationOf('after', values.after);
  const format = formatFor(output, values.to);
  const when = conditionIn(values, 'when', context);
  const named = { path: file, field: 'file' };
  const input = new TraceInput(named);
  try {
    const again = input.again();
    const ahead = openInput(input, named);
    const reader = openInput(again, named);
    const { run, check } = when.over(ahead);
    // Other programs stop at a remark in a candump log.
    const marksCuts = format !== 'candump';
    const { channels, bytes, ...counts } = await writeTrace(
      { input, reader, reported: ahead, format, output, overwrite: values.overwrite === true },
      context,
      (writer, progress) =>
        cutTrace({ ahead, reader, writer, run, marksCuts, beforeNs, afterNs }, progress),
      (result) => check(result.channels),
    );
    return {
      result: {
        file,
        input_format: ahead.format,
        when: conditionText(when.condition),
        output,
        output_format: format,
        started_at_us: ahead.startUnixUs,
        bytes,
        ...counts,
        ...accountOf(ahead),
      },
      failure: lossOf('file', file, output, ahead.account),
    };
  } finally {
    input.close();
  }
};
