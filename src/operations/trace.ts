import { Type } from 'typebox';
import { channelPattern } from '../trace/channel-key.ts';
import { traceFormats } from '../trace/trace-format.ts';
import { TraceConversion, TraceFileSummary } from '../trace/trace-records.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { traceSummaryLimit } from './limits.ts';

const inCli = { place: 'cli', daemon: 'none', streaming: false } as const;

const path = (description: string, example: string) =>
  Type.String({ description, minLength: 1, maxLength: 4095, examples: [example] });

export const traceInfo = defineOperation({
  id: 'trace.info',
  summary: 'Show the contents of a trace file',
  description:
    'Reads ASC, BLF and candump logs completely; the format is detected from the content. Lines and objects that cannot be read are counted and shown.',
  parameters: { file: path('Trace file', 'drive.blf') },
  result: TraceFileSummary,
  errors: ['file_not_found', 'file_unavailable', 'invalid_trace'],
  permission: 'observe',
  execution: inCli,
  cli: { words: ['trace', 'info'], positionals: ['file'], callerPaths: ['file'] },
  http: { none: 'The command reads the file itself' },
  examples: ['busbar trace info drive.blf', 'busbar trace info candump.log --format=json'],
});

export const traceSummary = defineOperation({
  id: 'trace.summary',
  summary:
    'Show the contents of a trace file in the project directory, such as the channels to map for a replay',
  description: `Reads ASC, BLF and candump logs inside the project directory, for at most ${traceSummaryLimit.durationUs / 1e6} seconds; complete says whether the whole file was read. At most ${traceSummaryLimit.atOnce} files are read at a time.`,
  parameters: { file: path('Trace file', 'drive.blf') },
  result: TraceFileSummary,
  errors: ['file_not_found', 'file_unavailable', 'path_outside_project', 'invalid_trace', 'busy'],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: null,
  http: { method: 'GET', path: '/api/v1/traces/summary', success: 200 },
});

export const traceConvert = defineOperation({
  id: 'trace.convert',
  summary: 'Convert a trace file to another format',
  description:
    'Converts every event that the output format supports and counts the others: candump logs cannot contain LIN frames. The output file appears when it is complete. If parts of the input cannot be read, the rest is converted and the command fails with trace_damaged. Channels of a candump log are its interfaces, numbered in order of appearance.',
  parameters: {
    input: path('Trace file to read', 'drive.blf'),
    output: path('File to write', 'drive.asc'),
    to: Type.Optional(
      Type.Enum([...traceFormats], {
        description: 'Output format; default: from the extension .asc, .blf or .log',
        examples: ['asc'],
      }),
    ),
    channel: Type.Optional(
      Type.Array(
        Type.String({
          pattern: channelPattern,
          'x-form': 'a number up to 65535, optionally with the prefix C or L',
        }),
        {
          description:
            'Channel to convert, by its number in the input; C1 is CAN channel 1 only, L1 is LIN channel 1 only. It must exist in the input. Default: all',
          maxItems: 256,
          examples: [['1']],
        },
      ),
    ),
    overwrite: withDefault(Type.Boolean({ description: 'Replace the file if it exists' }), false),
  },
  result: TraceConversion,
  errors: [
    'file_not_found',
    'file_unavailable',
    'invalid_trace',
    'already_exists',
    'operation_cancelled',
    'trace_damaged',
  ],
  permission: 'operate',
  execution: inCli,
  cli: {
    words: ['trace', 'convert'],
    positionals: ['input', 'output'],
    callerPaths: ['input', 'output'],
  },
  http: { none: 'The command reads and writes the files itself' },
  examples: [
    'busbar trace convert drive.blf drive.asc',
    'busbar trace convert drive.asc bus1.log --channel=1',
  ],
});
