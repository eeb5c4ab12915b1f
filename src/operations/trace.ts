import { Type } from 'typebox';
import { conditionField } from '../condition/condition-field.ts';
import { PduRecord } from '../pdu/pdu-record.ts';
import { TraceDecoding, TraceSignals } from '../table/table-records.ts';
import { channelPattern } from '../trace/channel-key.ts';
import { traceFormats } from '../trace/trace-format.ts';
import { TraceConversion, TraceCut, TraceFileSummary } from '../trace/trace-records.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { Job } from './job.ts';
import { traceSummaryLimit } from './limits.ts';
import { pduFilterFields } from './pdu.ts';

export const inCli = { place: 'cli', daemon: 'none', streaming: false } as const;

const channelForm = 'a number up to 65535, optionally with the prefix C or L';

export const path = (description: string, example: string) =>
  Type.String({ description, minLength: 1, maxLength: 4095, examples: [example] });

export const databaseOption = Type.Array(
  Type.String({
    description: 'Database file, and with @ the channel of the trace it is for',
    minLength: 1,
    maxLength: 4200,
    examples: ['vehicle.dbc@1'],
  }),
  {
    description:
      'DBC or LDF file; with @ only for this channel: its number, C1 or L1, or its name in the trace. A frame takes the first database of its channel that has a message for it',
    minItems: 1,
    maxItems: 64,
    examples: [['vehicle.dbc', 'trailer.dbc@2']],
  },
);

/** Selects by a condition on the events of a trace. */
const filterField = (selected: string, example = 'frame 123 or error') =>
  Type.Optional(conditionField(selected, example));

export const traceInfo = defineOperation({
  id: 'trace.info',
  summary: 'Show the contents of a trace file',
  description:
    'Reads ASC, BLF and MF4 files and candump logs completely; the format is detected from the content. Lines and objects that cannot be read are counted and shown.',
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
  description: `Reads ASC, BLF and MF4 files and candump logs inside the project directory, for at most ${traceSummaryLimit.durationUs / 1e6} seconds; complete says whether the whole file was read. At most ${traceSummaryLimit.atOnce} files are read at a time.`,
  parameters: { file: path('Trace file', 'drive.blf') },
  result: TraceFileSummary,
  errors: ['file_not_found', 'file_unavailable', 'path_outside_project', 'invalid_trace', 'busy'],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: null,
  http: { method: 'GET', path: '/api/v1/traces/summary', success: 200 },
});

export const tracePdus = defineOperation({
  id: 'trace.pdus',
  summary: 'Print the payloads reassembled from the frames of a trace file',
  description:
    'Reads ASC, BLF and MF4 files and candump logs and prints PDUs as pdu watch does, one per line in every format. J1939: transfers by TP.BAM, TP.CM and ETP, and DM1 and DM2 in single frames. ISO-TP: messages on 7DF, 7E0 to 7EF, 18DA, 18DB, 18CD and 18CE, and on pairs found by a first frame, its flow control and a consecutive frame. LIN: the transport layer in 3C and 3D. Transfers that are incomplete have another status and no data.',
  parameters: {
    file: path('Trace file', 'drive.blf'),
    channel: Type.Optional(
      Type.Array(Type.String({ pattern: channelPattern, 'x-form': channelForm }), {
        description: 'Channels to read, by their number in the file; default: all',
        maxItems: 256,
        examples: [['1']],
      }),
    ),
    protocol: pduFilterFields.protocol,
    pgn: pduFilterFields.pgn,
    id: pduFilterFields.id,
    filter: filterField(
      'PDUs to print: those with a frame, or an end, at which a condition fires or during which it holds; all frames are reassembled',
      'pdu isotp nrc 22',
    ),
    database: Type.Optional(databaseOption),
  },
  result: PduRecord,
  errors: [
    'file_not_found',
    'file_unavailable',
    'invalid_trace',
    'invalid_database',
    'unsupported_database',
    'capacity_exceeded',
  ],
  permission: 'observe',
  execution: { ...inCli, streaming: true },
  cli: { words: ['trace', 'pdus'], positionals: ['file'], callerPaths: ['file'] },
  http: { none: 'The command reads the file itself' },
  examples: [
    'busbar trace pdus drive.asc --pgn=0xFECA',
    'busbar trace pdus candump.log --protocol=isotp',
    "busbar trace pdus candump.log --filter='pdu isotp nrc 22'",
    'busbar trace pdus candump.log --format=jsonl',
  ],
});

const outputFormat = Type.Optional(
  Type.Enum([...traceFormats], {
    description: 'Output format; default: from the extension .asc, .blf, .log or .mf4',
    examples: ['asc'],
  }),
);

/** Errors of commands that write events of a trace into another. */
const rewriteErrors = [
  'file_not_found',
  'file_unavailable',
  'invalid_trace',
  'invalid_database',
  'unsupported_database',
  'capacity_exceeded',
  'already_exists',
  'operation_cancelled',
  'trace_damaged',
] as const;

export const traceConvert = defineOperation({
  id: 'trace.convert',
  summary: 'Convert a trace file to another format',
  description:
    'Converts every event that the output format supports and counts the others: candump logs cannot contain LIN frames. The output file appears when it is complete. If parts of the input cannot be read, the rest is converted and the command fails with trace_damaged. Channels of a candump log are its interfaces, numbered in order of appearance.',
  parameters: {
    input: path('Trace file to read', 'drive.blf'),
    output: path('File to write', 'drive.asc'),
    to: outputFormat,
    channel: Type.Optional(
      Type.Array(
        Type.String({
          pattern: channelPattern,
          'x-form': channelForm,
        }),
        {
          description:
            'Channel to convert, by its number in the input; C1 is CAN channel 1 only, L1 is LIN channel 1 only. It must exist in the input. Default: all',
          maxItems: 256,
          examples: [['1']],
        },
      ),
    ),
    filter: filterField(
      'Events to convert: those at which a condition fires, or during which it holds',
    ),
    database: Type.Optional(databaseOption),
    overwrite: withDefault(Type.Boolean({ description: 'Replace the file if it exists' }), false),
  },
  result: TraceConversion,
  errors: rewriteErrors,
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
    "busbar trace convert drive.blf fast.blf --filter='signal Engine.EngineSpeed > 3000' --database=vehicle.dbc",
  ],
});

const decodableFiles = [
  'file_not_found',
  'file_unavailable',
  'invalid_trace',
  'invalid_database',
  'unsupported_database',
  'message_not_found',
  'signal_not_found',
] as const;

export const databaseRequests = Type.Array(
  Type.Object(
    {
      file: path('Database file', 'vehicle.dbc'),
      channel: Type.Optional(
        Type.String({
          description: 'Channel by its number, as C1 or L1, or by its name in the trace',
          minLength: 1,
          maxLength: 64,
          examples: ['1'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  {
    description: 'Databases; a frame takes the first of its channel that has a message for it',
    minItems: 1,
    maxItems: 64,
    examples: [[{ file: 'vehicle.dbc', channel: '1' }]],
  },
);

const reach = (description: string, example: string) =>
  withDefault(
    Type.String({
      description: `${description}, as 2s, 500ms or 1min`,
      minLength: 1,
      maxLength: 32,
      examples: [example],
    }),
    '0s',
  );

export const traceCut = defineOperation({
  id: 'trace.cut',
  summary: 'Copy the parts of a trace file around the times at which a condition is true',
  description:
    'Keeps the events from before the condition fires until after it, or for a state until after it is no longer true; parts that overlap are joined. Times, channels and their names are kept. Between two parts, the output says how many events are missing, except in candump logs. The output file appears when it is complete. The file is read twice at the same time, so it cannot be a pipe. If parts of it cannot be read, the command fails with trace_damaged. The reference page “Conditions” has the terms.',
  parameters: {
    file: path('Trace file to read', 'drive.blf'),
    when: conditionField('Condition to look for', 'signal Engine.EngineSpeed > 3000'),
    before: reach('Time to keep before it', '2s'),
    after: reach('Time to keep after it', '5s'),
    database: Type.Optional(databaseOption),
    output: path('File to write', 'overspeed.asc'),
    to: outputFormat,
    overwrite: withDefault(Type.Boolean({ description: 'Replace the file if it exists' }), false),
  },
  result: TraceCut,
  errors: rewriteErrors,
  permission: 'operate',
  execution: inCli,
  cli: {
    words: ['trace', 'cut'],
    positionals: ['file'],
    callerPaths: ['file', 'output'],
  },
  http: { none: 'The command reads and writes the files itself' },
  examples: [
    "busbar trace cut drive.blf --when='error on 1' --before=2s --after=5s --output=errors.asc",
    "busbar trace cut drive.blf --when='signal Engine.EngineSpeed > 3000' --before=1s --after=1s --database=vehicle.dbc --output=overspeed.blf",
  ],
});

const signalPatterns = Type.Optional(
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Message.Signal',
      examples: ['*.Speed'],
    }),
    {
      description: 'Signals as Message.Signal, where * stands for any part of a name. Default: all',
      minItems: 1,
      maxItems: 4096,
      examples: [['Engine.*']],
    },
  ),
);

const timeLimit = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      description: `${description}: from the first event, as 12.5s, 500ms or 2min, or a date and time; UTC without a zone`,
      minLength: 1,
      maxLength: 64,
      examples: [example],
    }),
  );

const timeLimits = {
  from: timeLimit('First time', '12.5s'),
  to: timeLimit('End, not included', '2026-01-31T12:00:00Z'),
};

const decodedFilter = {
  filter: filterField(
    'Frames to decode: those at which a condition fires, or during which it holds; a J1939 payload longer than a frame counts at its last frame',
    'signal Engine.EngineSpeed > 3000',
  ),
};

const tableParameters = {
  wide: withDefault(
    Type.Boolean({ description: 'One column for each signal, one row for each frame' }),
    false,
  ),
  every_ms: Type.Optional(
    Type.Integer({
      description:
        'Wide only: rows at equal intervals from the first value, with the last value of each signal',
      minimum: 1,
      maximum: 86_400_000,
      examples: [100],
    }),
  ),
  overwrite: withDefault(Type.Boolean({ description: 'Replace the file if it exists' }), false),
};

const tableForm =
  'A long table has one row for each value: time, channel, message, signal, value (exact text), number (double), unit and label. The type of a wide column depends on the layout of its signal only. Times are UTC with microseconds; traces without a start begin in 1970. Error frames and remote frames are counted, and so are frames without a message. The output appears when it is complete.';

export const traceDecode = defineOperation({
  id: 'trace.decode',
  summary: 'Decode the signals of a trace file into a table',
  description: `${tableForm} If parts of the input cannot be read, the rest is decoded and the command fails with trace_damaged.`,
  parameters: {
    file: path('Trace file', 'drive.blf'),
    database: databaseOption,
    signals: signalPatterns,
    ...decodedFilter,
    ...timeLimits,
    ...tableParameters,
    jobs: Type.Optional(
      Type.Integer({
        description:
          'Threads that decode; default: one for each processor, up to 8. The table does not depend on it',
        minimum: 1,
        maximum: 64,
        examples: [4],
      }),
    ),
    output: path('Table to write, ending in .csv, .jsonl or .parquet', 'drive.parquet'),
  },
  result: TraceDecoding,
  errors: [
    ...decodableFiles,
    'capacity_exceeded',
    'already_exists',
    'operation_cancelled',
    'trace_damaged',
  ],
  permission: 'operate',
  execution: inCli,
  cli: {
    words: ['trace', 'decode'],
    positionals: ['file'],
    callerPaths: ['file', 'output'],
    names: { every_ms: 'every' },
  },
  http: { none: 'The command reads and writes the files itself; see POST /api/v1/traces/decode' },
  examples: [
    'busbar trace decode drive.blf --database=vehicle.dbc --output=drive.parquet',
    'busbar trace decode drive.asc --database=vehicle.dbc@1 --signals=Engine.* --wide --every=100 --output=engine.csv',
    "busbar trace decode drive.blf --database=vehicle.dbc --filter='signal Engine.EngineSpeed > 3000' --output=fast.csv",
  ],
});

export const traceDecodeJob = defineOperation({
  id: 'trace.decode-job',
  summary: 'Decode the signals of a trace file in the project directory into a table there',
  description: `${tableForm} Queues a job; its result says what could not be read.`,
  parameters: {
    file: path('Trace file', 'drive.blf'),
    output: path('Table to write, ending in .csv, .jsonl or .parquet', 'drive.parquet'),
    databases: databaseRequests,
    signals: signalPatterns,
    ...decodedFilter,
    ...timeLimits,
    ...tableParameters,
  },
  result: Job,
  errors: ['capacity_exceeded'],
  jobErrors: [...decodableFiles, 'path_outside_project', 'already_exists', 'operation_cancelled'],
  permission: 'operate',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: null,
  http: {
    method: 'POST',
    path: '/api/v1/traces/decode',
    success: 202,
    bodyName: 'TraceDecodeRequest',
    bodyExamples: {
      short: { file: 'drive.blf', output: 'drive.parquet', databases: [{ file: 'vehicle.dbc' }] },
      full: {
        file: 'drive.blf',
        output: 'engine.csv',
        databases: [{ file: 'vehicle.dbc', channel: '1' }],
        signals: ['Engine.*'],
        filter: 'signal Engine.EngineSpeed > 3000',
        from: '500ms',
        to: '12.5s',
        wide: true,
        every_ms: 100,
        overwrite: false,
      },
    },
  },
});

export const traceSignals = defineOperation({
  id: 'trace.signals',
  summary: 'Show the messages and signals in a trace file',
  description:
    'Shows how often each message of the databases is in the trace and how regularly, and the first, last, smallest and largest value of each signal.',
  parameters: {
    file: path('Trace file', 'drive.blf'),
    database: databaseOption,
    signals: signalPatterns,
    ...decodedFilter,
    ...timeLimits,
  },
  result: TraceSignals,
  errors: decodableFiles,
  permission: 'observe',
  execution: inCli,
  cli: {
    words: ['trace', 'signals'],
    positionals: ['file'],
    callerPaths: ['file'],
    columns: { messages: ['channel', 'message', 'count', 'cycle_us', 'signals'] },
  },
  http: { none: 'The command reads the file itself' },
  examples: ['busbar trace signals drive.blf --database=vehicle.dbc'],
});
