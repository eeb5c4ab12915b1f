import { Type } from 'typebox';
import type { ErrorCode } from '../base/errors/table.ts';
import { ecuFields } from '../bench/ecu-entry.ts';
import {
  DiagnosticLink,
  DiagnosticResponse,
  maxDataBytes,
} from '../diagnostics/service/link-record.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';

const onBench = { place: 'bench', daemon: 'required', streaming: false } as const;

export const ecu = Type.String({
  description: 'ECU: a name of the bench file, or of a link that was opened',
  minLength: 1,
  maxLength: 64,
  examples: ['engine'],
});

/** The first request to an ECU of the bench file opens its link. */
const useErrors: readonly ErrorCode[] = [
  ...lookupErrors,
  'ecu_not_found',
  'already_exists',
  'capacity_exceeded',
  'channel_not_open',
  'hardware_error',
];

/** Errors of every call that uses a link. */
export const linkErrors = useErrors;

/** Errors of every request to an ECU. */
export const requestErrors: readonly ErrorCode[] = [
  ...useErrors,
  'busy',
  'channel_cannot_send',
  'operation_cancelled',
  'hardware_timeout',
  'flow_control_overflow',
  'sequence_error',
  'response_too_long',
  'unexpected_response',
  'no_response',
  'response_pending_timeout',
  'flow_control_timeout',
  'consecutive_frame_timeout',
];

export const isotpList = defineOperation({
  id: 'isotp.list',
  summary: 'List the diagnostic links',
  description:
    'Lists open links and the ECUs of the bench file, whose links are closed until their first request.',
  result: Type.Object({ links: Type.Array(DiagnosticLink) }),
  errors: ['invalid_bench'],
  permission: 'observe',
  execution: onBench,
  cli: {
    words: ['isotp', 'list'],
    columns: ['ecu', 'channel', 'state', 'session', 'security_level', 'tester_present'],
  },
  http: { method: 'GET', path: '/api/v1/diagnostics', success: 200 },
});

export const isotpOpen = defineOperation({
  id: 'isotp.open',
  summary: 'Open a diagnostic link to an ECU that the bench file does not name',
  description:
    'The link lasts until it is closed. When its channel closes or its device is lost, it waits for the channel to come back. normal_fixed addressing, and mixed with 29 bits, need source and target instead of identifiers.',
  parameters: {
    channel: selector(
      'CAN channel, or LIN channel with nad: <sn>/<port>, <uid>/<port>, name, network or slot',
    ),
    name: Type.String({
      description: 'Name for the ECU',
      minLength: 1,
      maxLength: 64,
      examples: ['engine'],
    }),
    ...ecuFields,
  },
  result: DiagnosticLink,
  kept: ['channel'],
  errors: [...useErrors.filter((code) => code !== 'ecu_not_found')],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['isotp', 'open'], positionals: ['channel'] },
  http: {
    method: 'POST',
    path: '/api/v1/diagnostics',
    success: 201,
    bodyName: 'DiagnosticLinkRequest',
    bodyRule: {
      anyOf: [{ required: ['request_id', 'response_id'] }, { required: ['source', 'target'] }],
    },
    bodyExamples: {
      short: { channel: 'SIM00001/0', name: 'engine', request_id: 2016, response_id: 2024 },
      full: {
        channel: 'SIM00001/0',
        name: 'engine',
        request_id: '7E0',
        response_id: '7E8',
        functional_id: '7DF',
        addressing: 'normal',
        padding: 'CC',
        block_size: 8,
        st_min_us: 1000,
        p2_ms: 50,
        dids: { F190: { name: 'vin', length: 17, codec: 'ascii' } },
      },
    },
  },
  examples: [
    'busbar isotp open SIM00001/0 --name=engine --request-id=7E0 --response-id=7E8 --functional-id=7DF',
    'busbar isotp open SIM00001/0 --name=gateway --addressing=normal_fixed --source=F1 --target=10',
  ],
});

export const isotpShow = defineOperation({
  id: 'isotp.show',
  summary: 'Show a diagnostic link with its settings, session and counters',
  parameters: { ecu },
  result: DiagnosticLink,
  errors: ['ecu_not_found', 'invalid_bench'],
  permission: 'observe',
  execution: onBench,
  cli: { words: ['isotp', 'show'], positionals: ['ecu'] },
  http: { method: 'GET', path: '/api/v1/diagnostics/{ecu}', success: 200 },
  examples: ['busbar isotp show engine'],
});

export const isotpClose = defineOperation({
  id: 'isotp.close',
  summary: 'Close a diagnostic link',
  description:
    'Requests to the ECU are cancelled. The next request to an ECU of the bench file opens its link again.',
  parameters: { ecu },
  result: DiagnosticLink,
  errors: ['ecu_not_found', 'invalid_bench'],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['isotp', 'close'], positionals: ['ecu'] },
  http: { method: 'DELETE', path: '/api/v1/diagnostics/{ecu}', success: 200 },
  examples: ['busbar isotp close engine'],
});

const data = Type.Optional(
  Type.String({
    description: `Request in hex, at most ${maxDataBytes} bytes; spaces and separators between bytes are allowed`,
    minLength: 2,
    maxLength: 3 * maxDataBytes,
    examples: ['22F190'],
  }),
);

const file = Type.Optional(
  Type.String({
    description: 'File of the project whose bytes are the request, instead of data',
    minLength: 1,
    maxLength: 4096,
    examples: ['request.bin'],
  }),
);

const defaultTimeoutMs = 60_000;

export const timeoutMs = withDefault(
  Type.Integer({
    description:
      'Time limit of a request in milliseconds, with all its pending responses; P2 and P2* also apply',
    minimum: 1,
    maximum: 3_600_000,
    examples: [defaultTimeoutMs],
  }),
  defaultTimeoutMs,
);

const functional = withDefault(
  Type.Boolean({
    description:
      'Send to functional_id: the request fits one frame, and responses of all ECUs are collected for P2',
  }),
  false,
);

const fileErrors: readonly ErrorCode[] = [
  'file_not_found',
  'path_outside_project',
  'file_unavailable',
];

export const udsRequest = defineOperation({
  id: 'uds.request',
  summary: 'Send a request to an ECU and return its response',
  description:
    'Requests to one ECU are sent one at a time, in order; at most 32 wait. A negative response is a result, and the command then exits with 1. With the suppress bit, silence for P2 is success. Response pending (0x78) extends the time to P2*.',
  parameters: {
    ecu,
    data,
    file,
    protocol: withDefault(
      Type.Enum(['uds', 'isotp'], {
        description:
          'Protocol of the request; with isotp, any payload is sent and the first one received is the response',
      }),
      'uds',
    ),
    wait: withDefault(
      Type.Boolean({
        description: 'Await the response; otherwise return when the request is sent',
      }),
      true,
    ),
    functional,
    timeout_ms: timeoutMs,
  },
  result: DiagnosticResponse,
  kept: ['ecu'],
  errors: [...requestErrors, ...fileErrors],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['uds', 'request'], positionals: ['ecu', 'data'], except: ['protocol', 'wait'] },
  http: {
    method: 'POST',
    path: '/api/v1/diagnostics/{ecu}/requests',
    success: 200,
    bodyName: 'DiagnosticRequest',
    bodyRule: { oneOf: [{ required: ['data'] }, { required: ['file'] }] },
    bodyExamples: {
      short: { data: '3E80' },
      full: {
        data: '3E80',
        protocol: 'uds',
        wait: true,
        functional: false,
        timeout_ms: 60_000,
      },
    },
  },
  examples: ['busbar uds request engine 22F190', 'busbar uds request engine 1001 --functional'],
});

const overHttp = 'POST /api/v1/diagnostics/{ecu}/requests with protocol isotp';

export const isotpRequest = defineOperation({
  id: 'isotp.request',
  summary: 'Send a payload to an ECU and return the next payload from it',
  description: 'Any payload is sent as it is; the response must begin within P2.',
  parameters: { ecu, data, file, timeout_ms: timeoutMs },
  result: DiagnosticResponse,
  kept: ['ecu'],
  errors: [...requestErrors, ...fileErrors],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['isotp', 'request'], positionals: ['ecu', 'data'] },
  http: { none: overHttp },
  examples: ['busbar isotp request engine 22F190'],
});

export const isotpSend = defineOperation({
  id: 'isotp.send',
  summary: 'Send a payload to an ECU without awaiting a response',
  description: 'Returns when the last frame was sent.',
  parameters: { ecu, data, file, functional, timeout_ms: timeoutMs },
  result: DiagnosticResponse,
  kept: ['ecu'],
  errors: [...requestErrors, ...fileErrors],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['isotp', 'send'], positionals: ['ecu', 'data'] },
  http: { none: `${overHttp}, and wait false` },
  examples: ['busbar isotp send engine 3E80'],
});
