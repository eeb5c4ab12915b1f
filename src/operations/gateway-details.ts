import { Type } from 'typebox';
import { fileTypes, GatewayFilePage } from '../gateway/files/file-listing.ts';
import { GatewaySignalRules } from '../gateway/instances/instance-record.ts';
import { defineOperation } from './define.ts';
import { instance, limit, offset } from './gateway.ts';
import { projectFilePage } from './limits.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;

export const gatewayFiles = defineOperation({
  id: 'gateway.files',
  summary: 'List the files that gateway and Modbus operations can take',
  description:
    'Files of one type inside the directory that the daemon was started in, by their paths from there. Hidden ones and links are left out. A page at a time: go on with offset set to file_next_offset until that is file_total.',
  parameters: {
    type: Type.Enum(Object.keys(fileTypes) as (keyof typeof fileTypes)[], {
      description:
        'Projects to load and validate, databases to import, or JSON files, such as maps that Modbus servers take',
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
  summary: 'Show a signal of an instance, and what it may be',
  parameters: {
    instance,
    signal: Type.String({
      description: 'Id of the signal',
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
