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
  summary: 'Tell what a trace file holds',
  description:
    'Reads ASC, BLF and candump logs, whatever the file is called, from the first to the last byte. What could not be understood is counted and shown, not passed over.',
  parameters: { file: path('Trace file', 'drive.blf') },
  result: TraceFileSummary,
  errors: ['file_not_found', 'file_unavailable', 'invalid_trace'],
  permission: 'observe',
  execution: inCli,
  cli: { words: ['trace', 'info'], positionals: ['file'], callerPaths: ['file'] },
  http: { none: 'The command reads the file itself, where it was called' },
  examples: ['busbar trace info drive.blf', 'busbar trace info candump.log --format=json'],
});

export const traceSummary = defineOperation({
  id: 'trace.summary',
  summary: 'Tell what a trace file of the project holds, such as the channels to map for a replay',
  description: `Reads ASC, BLF and candump logs inside the directory that the daemon was started in, for at most ${traceSummaryLimit.durationUs / 1e6} seconds; complete tells whether that was enough for the whole file. At most ${traceSummaryLimit.atOnce} files are read at once.`,
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
  summary: 'Write a trace file anew in another format',
  description:
    'Takes over every event that the other format has room for, and counts those it has not: candump logs have none for LIN. The output appears when it is complete. Where parts of the input could not be read, what could is written and told, and the command ends with trace_damaged. Channels of a candump log are its interfaces in the order in which they appear.',
  parameters: {
    input: path('Trace file to read', 'drive.blf'),
    output: path('File to write', 'drive.asc'),
    to: Type.Optional(
      Type.Enum([...traceFormats], {
        description: 'Format to write; left out, the output tells it: .asc, .blf or .log',
        examples: ['asc'],
      }),
    ),
    channel: Type.Optional(
      Type.Array(
        Type.String({
          pattern: channelPattern,
          'x-form': 'a number up to 65535, with C or L before it where one bus is meant',
        }),
        {
          description:
            'Channel to take over, by its number in the input; C1 is that of CAN alone and L1 that of LIN. It must be in the input. All if left out',
          maxItems: 256,
          examples: [['1']],
        },
      ),
    ),
    overwrite: withDefault(
      Type.Boolean({ description: 'Replace a file that is there already' }),
      false,
    ),
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
  http: { none: 'The command reads and writes the files itself, where it was called' },
  examples: [
    'busbar trace convert drive.blf drive.asc',
    'busbar trace convert drive.asc bus1.log --channel=1',
  ],
});
