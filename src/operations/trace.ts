import { Type } from 'typebox';
import { named, nullable } from '../base/json/schemas.ts';
import { channelPattern } from '../trace/channel-key.ts';
import { traceFormats } from '../trace/trace-format.ts';
import { defineOperation } from './define.ts';
import { traceSummaryLimit } from './limits.ts';

const inCli = { place: 'cli', daemon: 'none', streaming: false } as const;

const path = (description: string, example: string) =>
  Type.String({ description, minLength: 1, maxLength: 4095, examples: [example] });

const count = (description: string) => Type.Integer({ description, minimum: 0 });

const counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

/** What a file holds beside the events that were read from it. */
const accountFields = {
  skipped: counts('What was passed over on purpose, by what it was'),
  gaps: count('Places where the file says that events are missing'),
  missed: count('Events missing there, as far as it tells how many'),
  malformed: count('Parts that could not be understood'),
  flaws: Type.Array(
    Type.Object({
      at: Type.Integer({ description: 'Line of a text from 1, or byte offset in a BLF file' }),
      message: Type.String(),
    }),
    { description: 'The first of those parts' },
  ),
  truncated: Type.Boolean({ description: 'The file ends in the middle of something' }),
};

const ChannelSummary = Type.Object({
  channel: Type.Integer({ description: 'As the file numbers it', minimum: 0 }),
  bus: Type.Enum(['can', 'lin'], { description: 'CAN and LIN count their channels apart' }),
  name: nullable(Type.String()),
  events: count('Events of the channel'),
  first_us: Type.Integer({ description: 'Time of its first event since the start' }),
  last_us: Type.Integer(),
});

const TraceSummary = named(
  'TraceSummary',
  Type.Object({
    file: Type.String(),
    size: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Bytes of the file; null of a pipe',
    }),
    bytes: count('Bytes of the file that were read'),
    complete: Type.Boolean({
      description: 'Whether that is all of it; else everything here tells only of that part',
    }),
    format: Type.Enum([...traceFormats]),
    started_at_us: nullable(Type.Integer(), {
      description: 'Unix time in microseconds from which times count; null if the file has none',
    }),
    duration_us: count('From the first event to the last'),
    events: count('Frames of all kinds'),
    buses: Type.Object({ can: count('Events'), canfd: count('Events'), lin: count('Events') }),
    kinds: Type.Object({ rx_frame: count('Received'), tx_complete: count('Sent') }),
    error_frames: count('Error frames'),
    remote_frames: count('Remote frames'),
    distinct_ids: count('Identifiers; those of 11 bits, of 29 bits and of LIN differ'),
    out_of_order: count('Events that are older than the one before them'),
    longest_pause_us: count('Longest time between two events'),
    channels: Type.Array(ChannelSummary),
    ...accountFields,
  }),
);

export const traceInfo = defineOperation({
  id: 'trace.info',
  summary: 'Tell what a trace file holds',
  description:
    'Reads ASC, BLF and candump logs, whatever the file is called, from the first to the last byte. What could not be understood is counted and shown, not passed over.',
  parameters: { file: path('Trace file', 'drive.blf') },
  result: TraceSummary,
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
  result: TraceSummary,
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
    overwrite: Type.Optional(
      Type.Boolean({ description: 'Replace a file that is there already', default: false }),
    ),
  },
  result: named(
    'TraceConversion',
    Type.Object({
      input: Type.String(),
      input_format: Type.Enum([...traceFormats]),
      output: Type.String(),
      output_format: Type.Enum([...traceFormats]),
      started_at_us: nullable(Type.Integer(), {
        description:
          'Start of the input as a Unix time; null if it has none. ASC and candump then begin in 1970',
      }),
      bytes: count('Bytes that were written'),
      read: count('Events of the input'),
      written: count('Events of the output'),
      filtered: count('Events of other channels'),
      unwritten: counts('Events that the output has no room for, by why'),
      clamped: count('Events before the start, written with the time of the start'),
      ...accountFields,
    }),
  ),
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
