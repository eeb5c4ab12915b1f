import { Type } from 'typebox';
import type { ErrorCode } from '../base/errors/table.ts';
import { changeGroups } from '../bench/change-groups.ts';
import { ChannelRecord, ChannelStatsWithBroker } from '../bench/channel-record.ts';
import { changeSettings, openSettings, pathSelector, selector } from './channel-schemas.ts';
import { defineOperation } from './define.ts';

export const lookupErrors: readonly ErrorCode[] = [
  'invalid_channel_selector',
  'channel_not_found',
  'network_unbound',
  'invalid_bench',
];

const onBench = { place: 'bench', daemon: 'required', streaming: false } as const;

export const channelList = defineOperation({
  id: 'channel.list',
  summary: 'List the open channels',
  result: Type.Object({ channels: Type.Array(ChannelRecord) }),
  errors: [],
  permission: 'observe',
  execution: onBench,
  cli: {
    words: ['channel', 'list'],
    columns: ['slot', 'selector', 'name', 'state', 'bus', 'mode', 'bitrate', 'data_bitrate'],
  },
  http: { method: 'GET', path: '/api/v1/channels', success: 200 },
});

export const channelOpen = defineOperation({
  id: 'channel.open',
  summary: 'Open a port as a channel',
  description:
    'Omitted settings use the port defaults: the most capable protocol, 500 kbit/s, and 2 Mbit/s for CAN FD data.',
  parameters: {
    channel: selector(
      'Port to open: <sn>/<port>, <uid>/<port>, or a port name or logical network from the bench file',
    ),
    ...openSettings,
  },
  result: ChannelRecord,
  errors: [
    ...lookupErrors,
    'already_exists',
    'capacity_exceeded',
    'unsupported_by_hardware',
    'hardware_error',
  ],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['channel', 'open'], positionals: ['channel'] },
  http: {
    method: 'POST',
    path: '/api/v1/channels',
    success: 201,
    bodyName: 'ChannelOpenRequest',
    bodyExamples: {
      short: { channel: 'SIM00001/0' },
      full: {
        channel: 'SIM00001/0',
        name: 'powertrain',
        bus: 'canfd',
        mode: 'normal',
        bitrate: 500_000,
        data_bitrate: 2_000_000,
        termination: true,
      },
    },
  },
  examples: [
    'busbar channel open SIM00001/0',
    'busbar channel open SIM00001/1 --name=powertrain --bitrate=500k --data-bitrate=2M',
    'busbar channel open SIM00001/4 --lin=role=master,version=2.1',
  ],
});

export const channelShow = defineOperation({
  id: 'channel.show',
  summary: 'Show an open channel and its settings',
  parameters: { selector: pathSelector },
  result: ChannelRecord,
  errors: lookupErrors,
  permission: 'observe',
  execution: onBench,
  cli: { words: ['channel', 'show'], positionals: ['selector'] },
  http: { method: 'GET', path: '/api/v1/channels/{selector}', success: 200 },
  examples: ['busbar channel show SIM00001/0', 'busbar channel show powertrain'],
});

const given = (field: string) => ({ required: [field] });

const oneGroup = {
  oneOf: Object.values(changeGroups).map((fields) =>
    fields.length === 1 ? given(fields[0] ?? '') : { anyOf: fields.map(given) },
  ),
  allOf: [{ properties: { lin: { minProperties: 1 } } }],
};

export const channelConfigure = defineOperation({
  id: 'channel.configure',
  summary: 'Change one group of settings of an open channel',
  description:
    'Each call changes exactly one group: timing, lin, mode, termination, pull_up, bitrate (with data_bitrate), power or restart_ms. Repeating the current value changes nothing, except that timing, mode and bitrate also recover a CAN controller from bus off. A change that takes the port off the bus cancels batches that are being sent.',
  parameters: { selector: pathSelector, ...changeSettings },
  result: ChannelRecord,
  errors: [...lookupErrors, 'unsupported_by_hardware', 'hardware_error'],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['channel', 'configure'], positionals: ['selector'] },
  http: {
    method: 'PATCH',
    path: '/api/v1/channels/{selector}',
    success: 200,
    bodyName: 'ChannelConfigRequest',
    bodyRule: oneGroup,
    bodyExamples: {
      short: { termination: true },
      full: { bitrate: 500_000, data_bitrate: 2_000_000 },
    },
  },
  examples: [
    'busbar channel configure SIM00001/0 --bitrate=250k',
    'busbar channel configure powertrain --mode=listen_only',
    'busbar channel configure SIM00001/0 --termination=false',
  ],
});

export const channelClose = defineOperation({
  id: 'channel.close',
  summary: 'Close a channel and discard its history',
  parameters: { selector: pathSelector },
  result: ChannelRecord,
  errors: [...lookupErrors, 'hardware_error'],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['channel', 'close'], positionals: ['selector'] },
  http: { method: 'DELETE', path: '/api/v1/channels/{selector}', success: 200 },
  examples: ['busbar channel close SIM00001/0'],
});

export const channelRecover = defineOperation({
  id: 'channel.recover',
  summary: 'Recover a CAN channel from bus off',
  description:
    'The controller waits for 128 idle sequences on the bus and then rejoins it. The response arrives when it has rejoined, or after one second with the state bus_off. The channel keeps its history and tasks. In any other state this does nothing.',
  parameters: { selector: pathSelector },
  result: ChannelRecord,
  errors: [...lookupErrors, 'unsupported_by_hardware', 'hardware_error'],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['channel', 'recover'], positionals: ['selector'] },
  http: { method: 'POST', path: '/api/v1/channels/{selector}/recover', success: 200 },
  examples: ['busbar channel recover SIM00001/0'],
});

export const channelStats = defineOperation({
  id: 'channel.stats',
  summary: 'Show counters, rates, bus state and event retention of a channel',
  parameters: { selector: pathSelector },
  result: ChannelStatsWithBroker,
  errors: lookupErrors,
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['channel', 'stats'], positionals: ['selector'] },
  http: { method: 'GET', path: '/api/v1/channels/{selector}/stats', success: 200 },
  examples: ['busbar channel stats SIM00001/0'],
});
