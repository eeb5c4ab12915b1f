import { Type } from 'typebox';
import { DeviceRecord } from '../bench/device-record.ts';
import { defineOperation } from './define.ts';
import { Job } from './job.ts';

export const deviceList = defineOperation({
  id: 'device.list',
  summary: 'List the connected analyzers and their ports',
  result: Type.Object({ devices: Type.Array(DeviceRecord) }),
  errors: ['hardware_error'],
  permission: 'observe',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: {
    words: ['device', 'list'],
    columns: ['sn', 'uid', 'name', 'driver', 'firmware_version', 'state', 'needs'],
  },
  http: { method: 'GET', path: '/api/v1/devices', success: 200 },
});

export const deviceFirmwareCheck = defineOperation({
  id: 'device.firmware-check',
  summary: 'Compare the firmware of a device with the bench’s firmware index',
  description:
    'Queues a job and returns it immediately; job show reports the result. The device is not disturbed: its channels stay open and traffic continues. The job fails with firmware_index_missing, firmware_index_unreachable or invalid_firmware_index if the index cannot be used.',
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
