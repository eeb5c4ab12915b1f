import { Type } from 'typebox';
import { maxAddress, maxPgn } from '../database/j1939.ts';
import { nameForm, namePattern } from '../pdu/j1939/name.ts';
import { numberForm, numberText } from '../pdu/pdu-filter.ts';
import { J1939Addresses, J1939ClaimRecord } from '../pdu/transmit/claim-record.ts';
import { J1939SendRecord } from '../pdu/transmit/j1939-record.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { defineOperation } from './define.ts';
import { cursorFields, nameErrors, nameFields } from './message-schemas.ts';

const onBench = { place: 'bench', daemon: 'required', streaming: false } as const;

const numberOf = (description: string, maximum: number, example: number) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum }),
      Type.String({ pattern: numberText, 'x-form': numberForm }),
    ],
    {
      description: `${description}: decimal, or hex with 0x`,
      'x-form': `an integer from 0 to ${maximum}, decimal, or hex with 0x`,
      examples: [example],
    },
  );

export const j1939Send = defineOperation({
  id: 'j1939.send',
  summary: 'Send a J1939 message',
  description:
    'Up to 8 bytes are sent as one frame, up to 1785 bytes as TP.BAM to all nodes or as TP.CM with RTS and CTS to one address. Returns when the last frame was sent, or when the receiver acknowledged the transfer. A broadcast pauses 50 ms between its frames. A message by name is encoded from its signals; its parameter group, and addresses and priority that are omitted, come from the database.',
  parameters: {
    channel: selector('CAN channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot'),
    pgn: Type.Optional(
      numberOf('Parameter group number, required unless a message is named', maxPgn, 0xfeca),
    ),
    source: Type.Optional(
      numberOf('Source address, required unless a message is named; default: its own', 254, 0),
    ),
    destination: Type.Optional(
      numberOf(
        'Destination address; default: 255, which is all nodes, or that of the message',
        255,
        255,
      ),
    ),
    priority: Type.Optional(
      Type.Integer({
        description:
          'Priority of a single frame, 0 is the highest; transfers use 7. Default: 6, or that of the message',
        minimum: 0,
        maximum: 7,
      }),
    ),
    data: Type.Optional(
      Type.String({
        description:
          'Payload in hex, required unless a message is named; spaces and separators between bytes are allowed',
        maxLength: 8192,
        examples: ['00FF6E000001FFFF'],
      }),
    ),
    ...nameFields,
  },
  result: J1939SendRecord,
  kept: ['channel'],
  errors: [
    ...lookupErrors,
    ...nameErrors,
    'capacity_exceeded',
    'busy',
    'channel_not_open',
    'channel_cannot_send',
    'operation_cancelled',
    'hardware_error',
    'hardware_timeout',
    'j1939_aborted',
    'j1939_timeout',
  ],
  permission: 'operate',
  execution: onBench,
  prepared: true,
  cli: { words: ['j1939', 'send'], positionals: ['channel', 'signals'], rest: 'signals' },
  http: {
    method: 'POST',
    path: '/api/v1/j1939/send',
    success: 200,
    bodyName: 'J1939SendRequest',
    bodyRule: { anyOf: [{ required: ['pgn', 'source', 'data'] }, { required: ['message'] }] },
    bodyExamples: {
      short: { channel: 'SIM00001/0', pgn: 65226, source: 0, data: '00FF6E000001FFFF' },
      full: {
        channel: 'SIM00001/0',
        pgn: '0xEF00',
        source: 0,
        destination: 255,
        priority: 6,
        data: '0102030405060708090A',
      },
    },
  },
  examples: [
    'busbar j1939 send SIM00001/0 --pgn=0xFECA --source=0 --data=00FF6E000001FFFF',
    'busbar j1939 send SIM00001/0 --pgn=0xEF00 --source=0 --destination=0x80 --data=0102030405060708090A',
    'busbar j1939 send SIM00001/0 --message=Tires --source=0x21 Pressure1=800 Pressure2=812',
  ],
});

export const j1939Claim = defineOperation({
  id: 'j1939.claim',
  summary: 'Claim a J1939 address and hold it',
  description:
    'Returns when no node has objected for 250 ms. The claim is then defended against higher NAMEs and requests for it are answered, until it is released or the channel is closed. A lower NAME takes the address: a NAME with the arbitrary address bit (63) then claims the next free address from 128 to 247; otherwise the claim fails, or is later shown as cannot_claim.',
  parameters: {
    channel: selector('CAN channel to claim on: <sn>/<port>, <uid>/<port>, name, network or slot'),
    name: Type.String({
      description: `NAME of the node: ${nameForm}`,
      pattern: namePattern,
      'x-form': nameForm,
      examples: ['0102010953525687'],
    }),
    address: numberOf('Address to claim', maxAddress, 0x80),
  },
  result: J1939ClaimRecord,
  kept: ['channel'],
  errors: [
    ...lookupErrors,
    'already_exists',
    'capacity_exceeded',
    'channel_not_open',
    'channel_cannot_send',
    'operation_cancelled',
    'hardware_error',
    'hardware_timeout',
    'j1939_address_taken',
  ],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['j1939', 'claim'], positionals: ['channel'] },
  http: {
    method: 'POST',
    path: '/api/v1/j1939/claims',
    success: 201,
    bodyName: 'J1939ClaimRequest',
    bodyExamples: {
      short: { channel: 'SIM00001/0', name: '0102010953525687', address: 128 },
      full: { channel: 'SIM00001/0', name: '8102010953525687', address: '0x80' },
    },
  },
  examples: ['busbar j1939 claim SIM00001/0 --name=0102010953525687 --address=0x80'],
});

export const j1939List = defineOperation({
  id: 'j1939.list',
  summary: 'List the J1939 addresses that nodes have claimed',
  description:
    'claims are those of this daemon. nodes are known from their claims on open channels: a node that has sent none since the channel was opened is missing. A request for parameter group 0xEE00 makes all nodes claim again.',
  parameters: {
    channel: Type.Optional({
      ...cursorFields.channel,
      description: 'Channels to list, by any selector; default: all',
    }),
  },
  result: J1939Addresses,
  errors: [...lookupErrors, 'channel_not_open'],
  permission: 'observe',
  execution: onBench,
  prepared: true,
  cli: {
    words: ['j1939', 'list'],
    columns: {
      claims: ['claim_id', 'channel', 'name', 'state', 'address', 'requested_address'],
      nodes: ['selector', 'address', 'name', 'function', 'manufacturer', 'identity', 'claim_id'],
    },
  },
  http: { method: 'GET', path: '/api/v1/j1939/claims', success: 200 },
  examples: ['busbar j1939 list', 'busbar j1939 list --channel=SIM00001/0'],
});

export const j1939Release = defineOperation({
  id: 'j1939.release',
  summary: 'Stop holding a J1939 address',
  description: 'Nothing is sent: another node gets the address when it claims it.',
  parameters: {
    claim_id: Type.String({
      description: 'Claim ID',
      minLength: 1,
      maxLength: 64,
      examples: ['claim-1'],
    }),
  },
  result: J1939ClaimRecord,
  errors: ['claim_not_found'],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['j1939', 'release'], positionals: ['claim_id'] },
  http: { method: 'DELETE', path: '/api/v1/j1939/claims/{claim_id}', success: 200 },
  examples: ['busbar j1939 release claim-1'],
});
