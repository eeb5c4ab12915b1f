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
    'Identifier to forward. A string is hex as printed: 123 (up to 3 digits: 11-bit), 18FF50E5 (8 digits or above 7FF: 29-bit)',
  ),
  mask: identifier('Identifier mask in hex: bits that must match; default: all'),
  extended: Type.Boolean({
    description:
      'Whether the identifiers are 29-bit; default: from the number of digits of a string, false for a number',
  }),
};

const targetFields = {
  channel: selector('Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot'),
  id: identifier(
    'Identifier to send with, of the same length as the received one; default: unchanged',
  ),
};

const routeId = Type.String({
  description: 'Route ID',
  minLength: 1,
  maxLength: 64,
  examples: ['route-1'],
});

export const routeAdd = defineOperation({
  id: 'route.add',
  summary: 'Forward received CAN frames to another channel',
  description:
    'Needs a source and a target; on the command line each of their fields is an option. Every frame received by the source with a matching identifier is sent on the target immediately, including remote frames. If both ports belong to a device that can route frames, the route is offloaded to it. A route ends when it is removed or one of its channels is closed.',
  parameters: {
    source: Type.Optional(
      Type.Object(
        {
          ...sourceFields,
          mask: Type.Optional(sourceFields.mask),
          extended: Type.Optional(sourceFields.extended),
        },
        { ...closed, description: 'Frames to forward' },
      ),
    ),
    target: Type.Optional(
      Type.Object(
        { ...targetFields, id: Type.Optional(targetFields.id) },
        { ...closed, description: 'Destination' },
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
  summary: 'Remove a route and show its final counters',
  parameters: { route_id: routeId },
  result: RouteRecord,
  errors: ['route_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['route', 'remove'], positionals: ['route_id'] },
  http: { method: 'DELETE', path: '/api/v1/routes/{route_id}', success: 200 },
  examples: ['busbar route remove route-1'],
});
