import { type TProperties, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../base/errors/table.ts';
import { named, nullable } from '../base/schema/schemas.ts';
import { routineActions } from '../diagnostics/control-services.ts';
import { ioControls } from '../diagnostics/did-services.ts';
import { DiagnosticLink, responseFields } from '../diagnostics/service/link-record.ts';
import {
  UdsClear,
  UdsCommunication,
  UdsDtcSetting,
  UdsDtcs,
  UdsIo,
  UdsMemory,
  UdsRead,
  UdsReset,
  UdsRoutine,
  UdsSecurity,
  UdsSession,
  UdsWrite,
} from '../diagnostics/uds-record.ts';
import { withDefault } from './defaults.ts';
import { type BodyExamples, defineOperation } from './define.ts';
import { ecu, linkErrors, requestErrors, timeoutMs } from './diagnostics.ts';
import { Job } from './job.ts';

const onBench = { place: 'bench', daemon: 'required', streaming: false } as const;

interface Service<P extends TProperties, R extends TSchema> {
  readonly action: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: P;
  readonly positionals?: readonly (keyof P & string)[];
  readonly name: string;
  readonly result: R;
  readonly errors?: readonly ErrorCode[];
  readonly bodyExamples: BodyExamples;
  readonly examples: readonly string[];
}

/** A service of ISO 14229: its response with the fields that all responses have. */
const service = <P extends TProperties, R extends TSchema>({
  action,
  parameters,
  positionals = [],
  name,
  result,
  errors = [],
  bodyExamples,
  ...about
}: Service<P, R>) =>
  defineOperation({
    id: `uds.${action}`,
    ...about,
    parameters: { ecu, ...parameters, timeout_ms: timeoutMs },
    result: named(
      `${name}Answer`,
      Type.Object({
        ...responseFields,
        result: nullable(result, { description: 'null unless the response is positive' }),
      }),
    ),
    kept: ['ecu'],
    errors: [...requestErrors, ...errors],
    permission: 'operate',
    execution: onBench,
    cli: { words: ['uds', action], positionals: ['ecu', ...positionals] },
    http: {
      method: 'POST',
      path: `/api/v1/diagnostics/{ecu}/${action}`,
      success: 200,
      bodyName: `${name}Request`,
      bodyExamples,
    },
  });

const wordOr = (words: readonly string[], description: string, example: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: 127, 'x-hex': true }),
      Type.String({
        pattern: `^(${words.join('|')}|0[xX][0-9A-Fa-f]{1,2}|[0-9]{1,3})$`,
        'x-form': `${words.join(', ')} or a number`,
      }),
    ],
    {
      description: `${description}: ${words.join(', ')} or a number`,
      'x-form': `${words.join(', ')} or a number from 0 to 127`,
      examples: [example],
    },
  );

const suppress = withDefault(
  Type.Boolean({ description: 'Set the suppress bit: the ECU sends no positive response' }),
  false,
);

const did = Type.String({
  description: 'Data identifier: its name in dids of the ECU, or four hex digits',
  minLength: 1,
  maxLength: 64,
  examples: ['F190'],
});

const hexText = (description: string, maxBytes = 4095) =>
  Type.String({
    description: `${description} in hex`,
    minLength: 2,
    maxLength: 3 * maxBytes,
    examples: ['01'],
  });

const dtc = (description: string) =>
  Type.String({
    description: `${description}: six hex digits, or text such as P0123-45`,
    minLength: 1,
    maxLength: 16,
    examples: ['012345'],
  });

const byte = (description: string) => Type.Integer({ description, minimum: 0, maximum: 255 });

/** Files of data identifiers are read from the project. */
const didErrors: readonly ErrorCode[] = [
  'file_not_found',
  'path_outside_project',
  'file_unavailable',
  'invalid_diagnostics_file',
];

export const udsSession = service({
  action: 'session',
  summary: 'Change the diagnostic session of an ECU (10)',
  description:
    'P2 and P2* of the response apply until the session changes. Without requests or TesterPresent the ECU returns to the default session after 5 s.',
  parameters: {
    session: wordOr(['default', 'programming', 'extended'], 'Session', 'extended'),
    suppress,
  },
  positionals: ['session'],
  name: 'UdsSession',
  result: UdsSession,
  bodyExamples: { short: { session: 'extended' }, full: { session: 3, suppress: false } },
  examples: ['busbar uds session engine extended'],
});

export const udsReset = service({
  action: 'reset',
  summary: 'Reset an ECU (11)',
  parameters: {
    reset: withDefault(wordOr(['hard', 'key', 'soft'], 'Kind of reset', 'hard'), 'hard'),
    suppress,
  },
  positionals: ['reset'],
  name: 'UdsReset',
  result: UdsReset,
  bodyExamples: { short: {}, full: { reset: 'soft', suppress: false } },
  examples: ['busbar uds reset engine', 'busbar uds reset engine soft'],
});

export const udsRead = service({
  action: 'read',
  summary: 'Read data identifiers (22)',
  description:
    'Identifiers with a name and a codec in dids of the ECU are returned as text. The command prints the value of one identifier alone, of several with their names; it exits with 1 if one has neither a value nor a label. To read several, all but the last must have a length there.',
  parameters: {
    dids: Type.Array(did, {
      minItems: 1,
      maxItems: 256,
      description: 'Data identifiers',
      examples: [['F190']],
    }),
  },
  positionals: ['dids'],
  name: 'UdsRead',
  result: UdsRead,
  errors: didErrors,
  bodyExamples: { short: { dids: ['F190'] }, full: { dids: ['F190'] } },
  examples: ['busbar uds read engine vin', 'busbar uds read engine F190 F18C'],
});

export const udsWrite = service({
  action: 'write',
  summary: 'Write a data identifier (2E)',
  parameters: {
    did,
    value: Type.String({
      description: 'Value by the codec of the identifier; hex without one',
      minLength: 1,
      maxLength: 90_000,
      examples: ['0102'],
    }),
  },
  positionals: ['did', 'value'],
  name: 'UdsWrite',
  result: UdsWrite,
  errors: didErrors,
  bodyExamples: {
    short: { did: 'F190', value: '0102' },
    full: { did: 'F190', value: '0102' },
  },
  examples: ['busbar uds write engine 1234 0102'],
});

export const udsDtc = service({
  action: 'dtc',
  summary: 'Read diagnostic trouble codes (19)',
  description:
    'Lists DTCs by status mask. count returns only their number, supported all that the ECU knows; snapshot and extended return the records of one DTC.',
  parameters: {
    mask: Type.Optional(
      Type.Union([byte('Status bits'), Type.String({ pattern: '^(0[xX])?[0-9A-Fa-f]{1,2}$' })], {
        description: 'Status bits, any of which a DTC has; a string is hex; default: FF',
        'x-form': 'an integer from 0 to 255, or two hex digits',
        'x-hint': '<hex>',
        examples: [8],
      }),
    ),
    snapshot: Type.Optional(dtc('DTC whose snapshot records to read')),
    extended: Type.Optional(dtc('DTC whose extended data to read')),
    record: Type.Optional(byte('Number of the record; default: 255, all')),
    count: withDefault(Type.Boolean({ description: 'Only the number of DTCs' }), false),
    supported: withDefault(Type.Boolean({ description: 'All DTCs that the ECU supports' }), false),
  },
  name: 'UdsDtc',
  result: UdsDtcs,
  errors: didErrors,
  bodyExamples: { short: {}, full: { mask: 8, count: true } },
  examples: ['busbar uds dtc engine --mask=08', 'busbar uds dtc engine --snapshot=P0123-45'],
});

export const udsClear = service({
  action: 'clear',
  summary: 'Clear diagnostic trouble codes (14)',
  parameters: { group: Type.Optional(dtc('DTC or group of DTCs; default: FFFFFF, all')) },
  positionals: ['group'],
  name: 'UdsClear',
  result: UdsClear,
  bodyExamples: { short: {}, full: { group: 'FFFFFF' } },
  examples: ['busbar uds clear engine'],
});

export const udsRoutine = service({
  action: 'routine',
  summary: 'Start or stop a routine, or read its result (31)',
  parameters: {
    action: Type.Enum(Object.keys(routineActions) as (keyof typeof routineActions)[], {
      description: 'What to do',
      examples: ['start'],
    }),
    routine: Type.String({
      description: 'Routine identifier, four hex digits',
      pattern: '^(0[xX])?[0-9A-Fa-f]{1,4}$',
      'x-form': 'up to four hex digits',
      examples: ['0203'],
    }),
    data: Type.Optional(hexText('Bytes after the identifier')),
  },
  positionals: ['action', 'routine', 'data'],
  name: 'UdsRoutine',
  result: UdsRoutine,
  bodyExamples: {
    short: { action: 'start', routine: '0203' },
    full: { action: 'start', routine: '0203', data: '01' },
  },
  examples: ['busbar uds routine engine start 0203 AA', 'busbar uds routine engine result 0203'],
});

export const udsSecurity = service({
  action: 'security',
  summary: 'Unlock a security level (27)',
  description:
    'Requests a seed and sends the key that seed_key of the ECU computes in a separate process. Without it the seed is the result, and key answers it in a second call.',
  parameters: {
    level: Type.Integer({
      description: 'Odd sub-function that requests the seed',
      minimum: 1,
      maximum: 125,
      examples: [1],
    }),
    key: Type.Optional(hexText('Key', 4096)),
  },
  positionals: ['level'],
  name: 'UdsSecurity',
  result: UdsSecurity,
  errors: ['plugin_failed', 'file_not_found', 'path_outside_project', 'file_unavailable'],
  bodyExamples: { short: { level: 1 }, full: { level: 1, key: 'DEADBEEF' } },
  examples: ['busbar uds security engine 1', 'busbar uds security engine 1 --key=DEADBEEF'],
});

export const udsCommunication = service({
  action: 'communication',
  summary: 'Enable or disable messages of an ECU (28)',
  parameters: {
    control: wordOr(
      ['enable-rx-tx', 'enable-rx', 'enable-tx', 'disable-rx-tx'],
      'What the ECU receives and sends',
      'disable-rx-tx',
    ),
    type: Type.Optional(wordOr(['normal', 'network', 'both'], 'Kind of messages', 'normal')),
    node: Type.Optional(
      Type.Integer({
        description: 'Node of the controls 4 and 5',
        minimum: 0,
        maximum: 65_535,
        examples: [10],
      }),
    ),
    suppress,
  },
  positionals: ['control'],
  name: 'UdsCommunication',
  result: UdsCommunication,
  bodyExamples: {
    short: { control: 'disable-rx-tx' },
    full: { control: 'enable-rx-tx', type: 'normal', suppress: false },
  },
  examples: ['busbar uds communication engine disable-rx-tx'],
});

export const udsDtcSetting = service({
  action: 'dtc-setting',
  summary: 'Let an ECU store DTCs, or not (85)',
  parameters: { setting: wordOr(['on', 'off'], 'Setting', 'off'), suppress },
  positionals: ['setting'],
  name: 'UdsDtcSetting',
  result: UdsDtcSetting,
  bodyExamples: { short: { setting: 'off' }, full: { setting: 'on', suppress: false } },
  examples: ['busbar uds dtc-setting engine off'],
});

export const udsIo = service({
  action: 'io',
  summary: 'Control an input or output (2F)',
  parameters: {
    did,
    control: Type.Enum(Object.keys(ioControls) as (keyof typeof ioControls)[], {
      description: 'What to do: return gives control back to the ECU, adjust needs a value',
      examples: ['adjust'],
    }),
    value: Type.Optional(
      Type.String({
        description: 'Value to adjust to, by the codec of the identifier',
        minLength: 1,
        maxLength: 8192,
        examples: ['01'],
      }),
    ),
    mask: Type.Optional(hexText('Control mask', 64)),
  },
  positionals: ['did', 'control', 'value'],
  name: 'UdsIo',
  result: UdsIo,
  errors: didErrors,
  bodyExamples: {
    short: { did: '1234', control: 'return' },
    full: { did: '1234', control: 'adjust', value: '01', mask: 'FF' },
  },
  examples: ['busbar uds io engine 1234 adjust 01', 'busbar uds io engine 1234 return'],
});

const address = Type.Integer({
  description: 'First address',
  minimum: 0,
  maximum: 281_474_976_710_655,
  'x-hex': true,
  examples: [134_217_728],
});

export const udsMemoryRead = service({
  action: 'memory-read',
  summary: 'Read memory by address (23)',
  parameters: {
    address,
    size: Type.Integer({
      description: 'Bytes to read',
      minimum: 1,
      maximum: 1_000_000,
      'x-hex': true,
      examples: [64],
    }),
  },
  positionals: ['address', 'size'],
  name: 'UdsMemoryRead',
  result: UdsMemory,
  bodyExamples: {
    short: { address: 134_217_728, size: 64 },
    full: { address: 134_217_728, size: 64 },
  },
  examples: ['busbar uds memory-read engine 0x08000000 64'],
});

export const udsMemoryWrite = service({
  action: 'memory-write',
  summary: 'Write memory by address (3D)',
  parameters: { address, data: hexText('Bytes to write', 30_000) },
  positionals: ['address', 'data'],
  name: 'UdsMemoryWrite',
  result: UdsMemory,
  bodyExamples: {
    short: { address: 134_217_728, data: '0102' },
    full: { address: 134_217_728, data: '0102' },
  },
  examples: ['busbar uds memory-write engine 0x08000000 0102'],
});

export const udsTesterPresent = defineOperation({
  id: 'uds.tester-present',
  summary: 'Send TesterPresent (3E 80) periodically, or stop',
  description:
    'Keeps the session of an ECU while no script sends requests. Sent to functional_id, also while a request is pending; without one it is sent to the ECU, but not while a request is being sent. Ends with the link and with its channel.',
  parameters: {
    ecu,
    enabled: withDefault(Type.Boolean({ description: 'Whether to send it' }), true),
    period_ms: withDefault(
      Type.Integer({
        description: 'Period in milliseconds',
        minimum: 10,
        maximum: 60_000,
        examples: [2000],
      }),
      2000,
    ),
  },
  result: DiagnosticLink,
  kept: ['ecu'],
  errors: linkErrors,
  permission: 'operate',
  execution: onBench,
  cli: { words: ['uds', 'tester-present'], positionals: ['ecu'] },
  http: {
    method: 'POST',
    path: '/api/v1/diagnostics/{ecu}/tester-present',
    success: 200,
    bodyName: 'TesterPresentRequest',
    bodyExamples: { short: { enabled: true }, full: { enabled: false, period_ms: 2000 } },
  },
  examples: [
    'busbar uds tester-present engine --enabled',
    'busbar uds tester-present engine --enabled=false',
  ],
});

export const udsFlash = defineOperation({
  id: 'uds.flash',
  summary: 'Flash an ECU with an image by a sequence of steps',
  description:
    'A job: its progress has bytes and percent, its result is a report. The command waits for it, and Ctrl-C cancels it; over HTTP the job is returned immediately. Steps are requests, session, security, download and others, see schemas/flash-sequence.schema.json. Other requests to the ECU wait until the job ends. A job that fails or is cancelled cannot be resumed.',
  parameters: {
    ecu,
    file: Type.String({
      description: 'Image in the project: Intel HEX, S-records, or .bin with address',
      minLength: 1,
      maxLength: 4096,
      examples: ['image.hex'],
    }),
    sequence: Type.String({
      description: 'File of the project with the steps',
      minLength: 1,
      maxLength: 4096,
      examples: ['steps.json'],
    }),
    address: Type.Optional({
      ...address,
      description: 'Address of the first byte of a .bin file',
    }),
  },
  result: Job,
  kept: ['ecu'],
  errors: linkErrors,
  jobErrors: [
    ...requestErrors.filter((code) => !linkErrors.includes(code)),
    'plugin_failed',
    ...didErrors,
  ],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['uds', 'flash'], positionals: ['ecu', 'file'] },
  http: {
    method: 'POST',
    path: '/api/v1/diagnostics/{ecu}/flash',
    success: 202,
    bodyName: 'FlashRequest',
    bodyExamples: {
      short: { file: 'image.hex', sequence: 'steps.json' },
      full: { file: 'image.bin', sequence: 'steps.json', address: 134_217_728 },
    },
  },
  examples: ['busbar uds flash engine image.hex --sequence=steps.json'],
});
