import { type Static, Type } from 'typebox';
import { counted, named, nullable } from '../../base/schema/schemas.ts';
import { LinkSettings } from '../../pdu/isotp/link-settings.ts';

const hexPayload = (description: string) => Type.String({ description: `${description}, in hex` });

export const linkStates = ['closed', 'open', 'waiting'] as const;
export type LinkState = (typeof linkStates)[number];

export const DiagnosticLink = named(
  'DiagnosticLink',
  Type.Object({
    ecu: Type.String({ description: 'Name of the ECU' }),
    in_bench: Type.Boolean({ description: 'Whether the bench file names the ECU' }),
    channel: Type.String({ description: 'Channel selector as given' }),
    selector: nullable(Type.String(), {
      description: 'Stable selector of the channel; null unless the link is open',
    }),
    slot: nullable(counted('Slot of the channel')),
    state: Type.Enum([...linkStates], {
      description:
        'closed until the first request to an ECU of the bench file; waiting while the channel is closed or its device is missing',
    }),
    settings: LinkSettings,
    session: counted('Diagnostic session; 1 is the default session'),
    security_level: counted('Unlocked security level; 0 is locked'),
    tester_present: Type.Boolean({ description: 'Whether TesterPresent is sent' }),
    tester_present_ms: nullable(counted('Period of TesterPresent')),
    queued: counted('Requests that wait for the one under way'),
    counters: Type.Object({
      sent: counted('Requests sent, with TesterPresent'),
      received: counted('Payloads received'),
      timeouts: counted('Requests that timed out'),
      findings: counted('Violations of the protocol by the ECU, and responses to no request'),
    }),
    last_finding: nullable(Type.String({ description: 'Code of the latest finding' })),
    opened_at_us: nullable(Type.Integer({ description: 'Unix time in microseconds' })),
  }),
);
export type DiagnosticLink = Static<typeof DiagnosticLink>;

/** Longest request in a call; longer ones are in a file. */
export const maxDataBytes = 30_000;

const nrcFields = {
  positive: nullable(Type.Boolean(), {
    description: 'null without a response, and with protocol isotp',
  }),
  nrc: nullable(counted('Negative response code')),
  nrc_name: nullable(Type.String({ description: 'Name of the negative response code' })),
};

/** Fields of every response. */
export const responseFields = {
  ecu: Type.String(),
  request: hexPayload('Request as sent, at most its first 64 bytes'),
  response: nullable(hexPayload('Response'), {
    description:
      'Response in hex; null if none was wanted or a positive one was suppressed; to a functional request, that of the ECU, else the first one',
  }),
  ...nrcFields,
  pending: counted('Responses 0x78 before the final one'),
  duration_us: counted('Time from the start of the request to its response'),
};

export const DiagnosticResponse = named(
  'DiagnosticResponse',
  Type.Object({
    ...responseFields,
    responses: Type.Optional(
      Type.Array(
        Type.Object({
          id: counted('Identifier of the response'),
          address: nullable(Type.Integer({ minimum: 0, maximum: 255 }), {
            description:
              'Address byte before the payload, which distinguishes responses with one identifier: of the tester in extended addressing, of the network in mixed; on LIN the node address; null without one',
          }),
          data: hexPayload('Response'),
          ...nrcFields,
        }),
        { description: 'Responses to a functional request, by all ECUs' },
      ),
    ),
  }),
);
export type DiagnosticResponse = Static<typeof DiagnosticResponse>;
