import { Type } from 'typebox';
import { RouteRecord } from '../transmit/routes/route-record.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { defineOperation } from './define.ts';
import { identifier } from './message-schemas.ts';
import { offloadErrors, offloadParameter } from './offload.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;
const closed = { additionalProperties: false };

const sourceFields = {
  channel: selector('Channel to receive on: <sn>/<port>, <uid>/<port>, name, network or slot'),
  id: identifier(
    'Identifier to pass on. Text is hex as it is printed: 123 (up to 3 digits: 11 bits), 18FF50E5 (8 digits, or above 7FF: 29 bits)',
  ),
  mask: identifier('Bits of the identifier that have to agree, in hex; all of them if left out'),
  extended: Type.Boolean({
    description:
      'Whether the identifiers have 29 bits; if left out, text has as many as its digits tell, and a number 11',
  }),
};

const targetFields = {
  channel: selector('Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot'),
  id: identifier(
    'Identifier to send with, as wide as those received; the one received if left out',
  ),
};

const routeId = Type.String({
  description: 'Id of a route',
  minLength: 1,
  maxLength: 64,
  examples: ['route-1'],
});

export const routeAdd = defineOperation({
  id: 'route.add',
  summary: 'Pass received CAN frames on to another channel from now on',
  description:
    'Needs a source and a target, on the command line as an option for each of their fields. Every frame that the source receives, whose identifier has the length asked for and agrees in the bits of the mask, is sent on the target at once, remote frames included. Where both are ports of a device that can do it by itself, it does. Routes end when they are removed or one of their channels is closed.',
  parameters: {
    source: Type.Optional(
      Type.Object(
        {
          ...sourceFields,
          mask: Type.Optional(sourceFields.mask),
          extended: Type.Optional(sourceFields.extended),
        },
        { ...closed, description: 'What to pass on' },
      ),
    ),
    target: Type.Optional(
      Type.Object(
        { ...targetFields, id: Type.Optional(targetFields.id) },
        { ...closed, description: 'Where to' },
      ),
    ),
    source_channel: Type.Optional(sourceFields.channel),
    source_id: Type.Optional(sourceFields.id),
    source_mask: Type.Optional(sourceFields.mask),
    extended: Type.Optional(sourceFields.extended),
    target_channel: Type.Optional(targetFields.channel),
    target_id: Type.Optional(targetFields.id),
    offload: offloadParameter,
  },
  result: RouteRecord,
  errors: [
    ...lookupErrors.filter((code) => code !== 'channel_not_found'),
    'capacity_exceeded',
    'channel_not_open',
    ...offloadErrors,
  ],
  permission: 'operate',
  execution,
  cli: {
    words: ['route', 'add'],
    only: ['source_channel', 'source_id', 'source_mask', 'extended', 'target_channel', 'target_id'],
  },
  http: {
    method: 'POST',
    path: '/api/v1/routes',
    success: 201,
    bodyName: 'RouteRequest',
    needs: ['source', 'target'],
    bodyExamples: {
      short: { source: { channel: 'SIM00001/0', id: 0x123 }, target: { channel: 'SIM00001/2' } },
      full: {
        source: { channel: 'SIM00001/0', id: 0x18ff5000, mask: 0x1fffff00, extended: true },
        target: { channel: 'SIM00001/2', id: 0x18ff6000 },
        offload: true,
      },
    },
  },
  examples: [
    'busbar route add --source-channel=SIM00001/0 --source-id=123 --target-channel=SIM00001/2',
    'busbar route add --source-channel=0 --source-id=100 --source-mask=700 --target-channel=1 --target-id=200',
  ],
});

export const routeList = defineOperation({
  id: 'route.list',
  summary: 'List the routes',
  result: Type.Object({ routes: Type.Array(RouteRecord) }),
  errors: [],
  permission: 'observe',
  execution,
  cli: {
    words: ['route', 'list'],
    columns: [
      'route_id',
      'source.channel',
      'source.id',
      'source.mask',
      'source.extended',
      'target.channel',
      'target.id',
      'offloaded',
      'matched',
      'sent',
      'failed',
    ],
  },
  http: { method: 'GET', path: '/api/v1/routes', success: 200 },
});

export const routeRemove = defineOperation({
  id: 'route.remove',
  summary: 'End a route and show what it came to',
  parameters: { route_id: routeId },
  result: RouteRecord,
  errors: ['route_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['route', 'remove'], positionals: ['route_id'] },
  http: { method: 'DELETE', path: '/api/v1/routes/{route_id}', success: 200 },
  examples: ['busbar route remove route-1'],
});
