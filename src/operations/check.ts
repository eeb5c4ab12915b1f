import { Type } from 'typebox';
import { CheckEntry, maxChecks, maxCheckText } from '../check/check-file.ts';
import { CheckReport } from '../check/check-record.ts';
import { lookupErrors } from './channel.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { Job } from './job.ts';
import { durationText } from './message-schemas.ts';
import { databaseOption, databaseRequests, inCli, path } from './trace.ts';

const form =
  'Forms: cycle Engine 20ms +-10%; counter Wheels.Counter max 14; e2e Wheels, with a codec; answer 7E0#0322F190 with 7E8#??62F190 within 50ms; value Engine.Temperature in -40..150; never <condition>; never gap; load < 60%; order Engine then Wheels within 5ms. Messages are named or written as identifiers. Each form can end with on <channel>, which it needs if several channels match; in conditions each term can.';

const verdictForm =
  'A check has passed, has failed, or was not observed: what it is about did not occur, or events are missing.';

const bitrates = Type.Optional(
  Type.Array(
    Type.String({
      description: 'Bit rate, after / the data bit rate, and after @ the channel they are for',
      minLength: 1,
      maxLength: 128,
      examples: ['500000/2000000@1'],
    }),
    {
      description:
        'Bit rates of the trace, for load checks: 500000, 500k/2M, or with @ only for a channel',
      minItems: 1,
      maxItems: 64,
      examples: [['500k/2M']],
    },
  ),
);

const checkErrors = [
  'file_not_found',
  'file_unavailable',
  'invalid_trace',
  'invalid_database',
  'unsupported_database',
  'capacity_exceeded',
] as const;

const liveForm =
  'Live checks see the events of open channels from the call on, and use the databases that are attached to them. They end with the time.';

const channelSelectors = Type.Array(
  Type.String({ minLength: 1, maxLength: 256, examples: ['powertrain'] }),
  {
    description: 'Channels of live checks, by any selector; default: all open ones',
    minItems: 1,
    maxItems: 256,
    examples: [['powertrain']],
  },
);

export const checkRun = defineOperation({
  id: 'check.run',
  summary: 'Check a trace file, or live traffic for a time',
  description: `Evaluates checks and reports a verdict for each. ${form} ${verdictForm} ${liveForm} The command succeeds only if all checks passed.`,
  parameters: {
    file: Type.Optional(path('Check file', 'bus.checks.json')),
    check: Type.Optional(
      Type.Array(
        Type.String({
          description: 'A check',
          minLength: 1,
          maxLength: maxCheckText,
          examples: ['cycle Engine 20ms +-10%'],
        }),
        {
          description: 'Checks, after those of the file',
          minItems: 1,
          maxItems: maxChecks,
          examples: [['never gap']],
        },
      ),
    ),
    trace: Type.Optional(path('Trace file', 'drive.blf')),
    for: durationText('Time to check live traffic, instead of a trace file; up to 3600s'),
    channel: Type.Optional(channelSelectors),
    database: Type.Optional(databaseOption),
    bitrate: bitrates,
    report: Type.Optional(
      Type.Array(path('Report', 'report.html'), {
        description:
          'Reports to write: HTML, JUnit XML, JSON or text, by the ending .html, .xml, .json or .txt. A file is replaced',
        minItems: 1,
        maxItems: 16,
        examples: [['report.html']],
      }),
    ),
    jobs: Type.Optional(
      Type.Integer({
        description:
          'Most threads that read and check; default: one for each processor, up to 4. The verdicts do not depend on it',
        minimum: 1,
        maximum: 64,
        examples: [4],
      }),
    ),
    allow_unobserved: withDefault(
      Type.Boolean({ description: 'Succeed also with checks that were not observed' }),
      false,
    ),
  },
  result: CheckReport,
  errors: [...checkErrors, 'operation_cancelled', 'checks_failed', 'checks_not_observed'],
  permission: 'observe',
  execution: inCli,
  cli: {
    words: ['check', 'run'],
    positionals: ['file'],
    callerPaths: ['file', 'trace', 'report'],
  },
  http: { none: 'The command reads the files itself; see POST /api/v1/checks' },
  examples: [
    'busbar check run bus.checks.json --trace=drive.blf --database=vehicle.dbc',
    "busbar check run --check='cycle 123 20ms +-10%' --check='never gap' --trace=drive.asc",
    'busbar check run bus.checks.json --for=30s --channel=powertrain --report=report.html',
  ],
});

export const checkStart = defineOperation({
  id: 'check.start',
  summary: 'Check a trace file in the project directory, or live traffic for a time',
  description: `Queues a job whose result is a report. ${form} ${verdictForm} ${liveForm}`,
  parameters: {
    file: Type.Optional(path('Check file', 'bus.checks.json')),
    checks: Type.Optional(
      Type.Array(CheckEntry, {
        description: 'Checks, after those of the file',
        minItems: 1,
        maxItems: maxChecks,
        examples: [[{ check: 'never gap' }]],
      }),
    ),
    trace: Type.Optional(path('Trace file', 'drive.blf')),
    seconds: Type.Optional(
      Type.Number({
        description: 'Time to check live traffic, instead of a trace file',
        minimum: 0.001,
        maximum: 3600,
        examples: [30],
      }),
    ),
    channels: Type.Optional(channelSelectors),
    after: Type.Optional(
      Type.Integer({
        description:
          'Live checks: event id after which they begin, as far as events are stored; default: the newest one',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [4711],
      }),
    ),
    databases: Type.Optional(databaseRequests),
    bitrate: bitrates,
  },
  result: Job,
  errors: [
    ...lookupErrors,
    ...(['channel_not_open', 'capacity_exceeded'] as const),
    ...(['file_not_found', 'file_unavailable', 'path_outside_project'] as const),
  ],
  jobErrors: [...checkErrors, 'path_outside_project', 'channel_not_open', 'operation_cancelled'],
  permission: 'operate',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  prepared: true,
  cli: null,
  http: {
    method: 'POST',
    path: '/api/v1/checks',
    success: 202,
    bodyName: 'CheckRequest',
    bodyExamples: {
      short: { file: 'bus.checks.json', trace: 'drive.blf' },
      full: {
        file: 'bus.checks.json',
        checks: [{ id: 'engine', check: 'cycle Engine 20ms +-10%' }],
        trace: 'drive.blf',
        databases: [{ file: 'vehicle.dbc', channel: '1' }],
        bitrate: ['500k/2M@1'],
      },
    },
  },
});
