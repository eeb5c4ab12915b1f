import { Type } from 'typebox';
import { named, nullable } from '../base/json/schemas.ts';
import { channelModes, linRoles } from '../drivers/channel-settings.ts';
import { linVersions } from '../frame/lin.ts';
import { defineOperation } from './define.ts';
import { Job } from './job.ts';

const Range = Type.Object({ min: Type.Number(), max: Type.Number() });

const PortRecord = Type.Object({
  port: Type.Integer({ minimum: 0 }),
  name: Type.String(),
  selector: Type.String({ examples: ['SIM00001/0'] }),
  buses: Type.Array(Type.Enum(['can', 'canfd', 'lin']), {
    description: 'What the port can be opened as, the best last',
  }),
  channel: nullable(Type.Integer({ minimum: 0 }), {
    description: 'Slot of the channel that is open on it',
  }),
  capabilities: Type.Object({
    modes: Type.Array(Type.Enum([...channelModes])),
    settings: Type.Array(Type.String(), { description: 'Setter groups that it takes while open' }),
    bitrate: Range,
    data_bitrate: nullable(Range),
    clock_hz: nullable(Type.Integer()),
    lin_roles: Type.Array(Type.Enum([...linRoles])),
    lin_versions: Type.Array(Type.Enum([...linVersions])),
    tx_queue: Type.Integer({ description: 'Frames it queues before a send has to wait' }),
  }),
});

const DeviceRecord = named(
  'Device',
  Type.Object({
    sn: Type.String(),
    uid: Type.String(),
    name: Type.String(),
    driver: Type.String(),
    firmware_version: Type.String(),
    state: Type.Enum(['present', 'lost']),
    ports: Type.Array(PortRecord),
  }),
);

export const deviceList = defineOperation({
  id: 'device.list',
  summary: 'List the analyzers that are there now, each once, with their ports',
  result: Type.Object({ devices: Type.Array(DeviceRecord) }),
  errors: ['hardware_error'],
  permission: 'observe',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: {
    words: ['device', 'list'],
    columns: ['sn', 'uid', 'name', 'driver', 'firmware_version', 'state'],
  },
  http: { method: 'GET', path: '/api/v1/devices', success: 200 },
});

export const deviceFirmwareCheck = defineOperation({
  id: 'device.firmware-check',
  summary: 'Compare the firmware of a device with the bench’s firmware index',
  description:
    'Queues a job and answers it at once; job show tells what it found. The device itself is not disturbed: its channels stay open and traffic goes on. The job fails with firmware_index_missing, firmware_index_unreachable or invalid_firmware_index where the index is no help.',
  parameters: {
    selector: Type.String({
      description: 'Serial number or UID of the device',
      minLength: 1,
      maxLength: 128,
      examples: ['SIM00001'],
    }),
  },
  result: Job,
  errors: ['device_not_found', 'capacity_exceeded', 'hardware_error'],
  jobErrors: ['firmware_index_missing', 'invalid_firmware_index', 'firmware_index_unreachable'],
  permission: 'operate',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: { words: ['device', 'firmware', 'check'], positionals: ['selector'] },
  http: { method: 'POST', path: '/api/v1/devices/{selector}/firmware-check', success: 202 },
  examples: ['busbar device firmware check SIM00001'],
});
