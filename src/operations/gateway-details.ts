import { Type } from 'typebox';
import { fileTypes, GatewayFilePage } from '../gateway/files/file-listing.ts';
import { GatewaySignalRules } from '../gateway/instances/instance-record.ts';
import { defineOperation } from './define.ts';
import { instance, limit, offset } from './gateway.ts';
import { projectFilePage } from './limits.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;

export const gatewayFiles = defineOperation({
  id: 'gateway.files',
  summary: 'List files for gateway and Modbus operations',
  description:
    'Lists files of one type inside the project directory, by relative path. Hidden files and symbolic links are omitted. Results are paged: repeat with offset set to file_next_offset until it equals file_total.',
  parameters: {
    type: Type.Enum(Object.keys(fileTypes) as (keyof typeof fileTypes)[], {
      description:
        'File type: projects (gwproj), databases (dbc, ldf), JSON files such as Modbus server maps (json), or traces (trace)',
      examples: ['gwproj'],
    }),
    offset: offset('file'),
    limit: limit('file', projectFilePage),
  },
  result: GatewayFilePage,
  errors: ['file_not_found', 'file_unavailable'],
  permission: 'observe',
  execution,
  cli: { words: ['gateway', 'files'], columns: ['file', 'bytes', 'modified_us'] },
  http: { method: 'GET', path: '/api/v1/gateways/files', success: 200 },
  examples: ['busbar gateway files --type=gwproj'],
});

export const gatewaySignal = defineOperation({
  id: 'gateway.signal',
  summary: 'Show a signal of an instance with its definition',
  parameters: {
    instance,
    signal: Type.String({
      description: 'Signal ID',
      minLength: 1,
      maxLength: 512,
      examples: ['pump'],
    }),
  },
  result: GatewaySignalRules,
  errors: ['instance_not_found', 'signal_not_found'],
  permission: 'observe',
  execution,
  cli: { words: ['gateway', 'signal'] },
  http: { method: 'GET', path: '/api/v1/gateways/{instance}/signals/{signal}', success: 200 },
  examples: ['busbar gateway signal --instance=coolant --signal=pump'],
});
