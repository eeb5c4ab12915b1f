import { Type } from 'typebox';
import { GapEvent } from '../frame/event-record.ts';
import { pduProtocols } from '../pdu/pdu.ts';
import { numberForm, numberText } from '../pdu/pdu-filter.ts';
import { PduRecord } from '../pdu/pdu-record.ts';
import { PduHistory } from '../pdu/service/pdu-history.ts';
import { lookupErrors } from './channel.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { pduPage } from './limits.ts';
import { cursorFields, endFields, filterFields } from './message-schemas.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;
const streamed = { ...execution, streaming: true } as const;

export const pduFilterFields = {
  protocol: Type.Optional(
    Type.Array(Type.Enum([...pduProtocols]), {
      description: 'Protocols to include; default: all',
      maxItems: pduProtocols.length,
      examples: [['j1939']],
    }),
  ),
  pgn: Type.Optional(
    Type.Array(Type.String({ pattern: numberText, 'x-form': numberForm }), {
      description: 'J1939 parameter groups to include: decimal, or hex with 0x',
      maxItems: 64,
      examples: [['0xFECA']],
    }),
  ),
  id: Type.Optional({
    ...filterFields.id,
    description:
      'Identifiers of ISO-TP and LIN to include, in hex as printed; J1939 PDUs have none',
  }),
};

const after = (description: string) =>
  Type.Integer({ description, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [0] });

const streamFields = {
  channel: cursorFields.channel,
  ...pduFilterFields,
  after: Type.Optional(after('Sequence to resume after')),
};

const errors = [...lookupErrors, 'channel_not_open'] as const;

const about =
  'A PDU is a payload reassembled from frames. J1939: transfers by TP.BAM, TP.CM and ETP, and DM1 and DM2 in single frames. ISO-TP: messages on the identifiers of ECUs in the bench file, 7DF, 7E0 to 7EF, 18DA, 18DB, 18CD and 18CE, and on pairs found by a first frame, its flow control and a consecutive frame. LIN: the transport layer in 3C and 3D. Transfers that are incomplete have another status and no data.';

export const pduWatch = defineOperation({
  id: 'pdu.watch',
  summary: 'Print reassembled payloads as they arrive',
  description: about,
  parameters: { ...streamFields, ...endFields('PDUs') },
  result: Type.Union([PduRecord, GapEvent]),
  errors,
  permission: 'observe',
  execution: streamed,
  cli: { words: ['pdu', 'watch'] },
  http: { none: 'Served as a stream at /api/v1/pdus/stream' },
  examples: [
    'busbar pdu watch --channel=SIM00001/0',
    'busbar pdu watch --pgn=0xFECA --count=10',
    'busbar pdu watch --protocol=isotp --id=7E8',
  ],
});

export const pduHistory = defineOperation({
  id: 'pdu.history',
  summary: 'Read past reassembled payloads',
  description: `${about} The newest 4096 are available, or fewer if they exceed 16 MiB. Results are paged: repeat with after set to next_after. An after that has expired or lies in the future is rejected with cursor_expired: resume from oldest_available - 1.`,
  parameters: {
    channel: cursorFields.channel,
    ...pduFilterFields,
    after: withDefault(after('Sequence to resume after'), 0),
    limit: withDefault(
      Type.Integer({
        description: 'Maximum number of PDUs; the response size limit may reduce it',
        minimum: 1,
        maximum: pduPage.maximum,
      }),
      pduPage.default,
    ),
  },
  result: PduHistory,
  errors: [...errors, 'cursor_expired'],
  permission: 'observe',
  execution,
  cli: {
    words: ['pdu', 'history'],
    columns: [
      'sequence',
      'selector',
      'protocol',
      'pgn',
      'source',
      'destination',
      'id',
      'address',
      'status',
      'length',
      'data',
      'words',
    ],
  },
  http: { method: 'GET', path: '/api/v1/pdus/history', success: 200 },
  examples: [
    'busbar pdu history --pgn=0xFECA',
    'busbar pdu history --channel=SIM00001/0 --limit=20',
    'busbar pdu history --protocol=isotp',
  ],
});

export const pduStream = defineOperation({
  id: 'pdu.stream',
  summary: 'Stream reassembled payloads as server-sent events',
  description:
    'Each pdu event has the sequence as its id and a Pdu as its data; a gap event reports lost PDUs as a GapEvent. Starts after Last-Event-ID, else after the after parameter, else with the next PDU.',
  parameters: streamFields,
  result: Type.String({ description: 'Server-sent events: pdu and gap' }),
  errors,
  permission: 'observe',
  execution: streamed,
  cli: null,
  http: {
    method: 'GET',
    path: '/api/v1/pdus/stream',
    success: 200,
    mediaType: 'text/event-stream',
    transport: 'sse',
  },
});
