import { Type } from 'typebox';
import { maxPgn } from '../database/j1939.ts';
import { numberForm, numberText } from '../pdu/pdu-filter.ts';
import { J1939SendRecord } from '../pdu/transmit/j1939-record.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { defineOperation } from './define.ts';
import { nameErrors, nameFields } from './message-schemas.ts';

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
  execution: { place: 'bench', daemon: 'required', streaming: false },
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
