import { Type } from 'typebox';
import { changedChannels, recorderFields } from '../recording/recorder-settings.ts';
import { RecorderRecord, RecorderSummary } from '../recording/service/recorder-record.ts';
import { lookupErrors } from './channel.ts';
import { defineOperation } from './define.ts';
import { downloadsAtOnce, limits } from './limits.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;

const name = Type.String({
  description: 'Name of the recorder',
  minLength: 1,
  maxLength: 64,
  examples: ['night'],
});

const { file, ...settings } = recorderFields;

const settingErrors = ['path_outside_project', 'invalid_channel_selector'] as const;

const fullBody = {
  channels: ['SIM00001/0', 'SIM00001/1'],
  format: 'asc',
  split: { max_bytes: 100_000_000, max_seconds: 3600 },
  keep: { max_files: 24, max_bytes: 2_000_000_000 },
  compress: true,
  embed_databases: false,
  trigger: {
    start: 'frame 123',
    stop: 'silence 123 500ms',
    pre_ms: 2000,
    post_ms: 1000,
    once: false,
  },
  sync_seconds: 1,
};

export const recorderAdd = defineOperation({
  id: 'recorder.add',
  summary: 'Add a recorder',
  description: `Writes channels to a series of trace files, independent of logging and of other recorders; at most ${limits.recorders} can exist. It records from recorder start, with a trigger from the time that its start condition is met. Each file is complete on its own, and nothing is overwritten. When the disk is full the recorder waits, counts the events that it misses and marks the gap in the file. It exists until it is removed or the daemon ends; those of the bench file are started with the daemon.`,
  parameters: { name, file, ...settings },
  result: RecorderRecord,
  errors: [...settingErrors, 'already_exists', 'capacity_exceeded'],
  permission: 'operate',
  execution,
  cli: {
    words: ['recorder', 'add'],
    positionals: ['name'],
    names: { channels: 'channel' },
    except: ['format'],
  },
  http: {
    method: 'POST',
    path: '/api/v1/recorders',
    success: 201,
    bodyName: 'RecorderRequest',
    bodyExamples: {
      short: { name: 'night', file: 'night-{n}.asc' },
      full: { name: 'night', file: 'night/{name}-{date}-{time}-{n}.asc', ...fullBody },
    },
  },
  examples: [
    'busbar recorder add night --file=night-{n}.blf --split=max_seconds=3600 --keep=max_files=24',
    'busbar recorder add errors --file=errors-{date}-{n}.asc --channel=SIM00001/0 --trigger=start=error,pre_ms=2000,post_ms=5000',
  ],
});

export const recorderList = defineOperation({
  id: 'recorder.list',
  summary: 'List the recorders, without their files',
  result: Type.Object({ recorders: Type.Array(RecorderSummary) }),
  errors: [],
  permission: 'observe',
  execution,
  cli: {
    words: ['recorder', 'list'],
    columns: ['name', 'state', 'file', 'frames', 'bytes', 'gaps', 'missed', 'error.code'],
  },
  http: { method: 'GET', path: '/api/v1/recorders', success: 200 },
});

export const recorderShow = defineOperation({
  id: 'recorder.show',
  summary: 'Show a recorder with its settings and latest files',
  parameters: { name },
  result: RecorderRecord,
  errors: ['recorder_not_found'],
  permission: 'observe',
  execution,
  cli: { words: ['recorder', 'show'], positionals: ['name'] },
  http: { method: 'GET', path: '/api/v1/recorders/{name}', success: 200 },
  examples: ['busbar recorder show night'],
});

export const recorderStart = defineOperation({
  id: 'recorder.start',
  summary: 'Start a recorder',
  description:
    'Recording begins when this call returns; with a start condition, the recorder is armed then. With channels, they must be open, and the recorder stops when all of them are closed; without, it records all channels, including new ones.',
  parameters: { name },
  result: RecorderRecord,
  errors: [
    'recorder_not_found',
    ...lookupErrors,
    'channel_not_open',
    'already_running',
    'already_exists',
    'capacity_exceeded',
    'file_not_found',
    'file_unavailable',
    'path_outside_project',
    'operation_cancelled',
  ],
  permission: 'operate',
  execution,
  cli: { words: ['recorder', 'start'], positionals: ['name'] },
  http: { method: 'POST', path: '/api/v1/recorders/{name}/start', success: 200 },
  examples: ['busbar recorder start night'],
});

export const recorderStop = defineOperation({
  id: 'recorder.stop',
  summary: 'Stop a recorder and complete its file',
  description:
    'The file contains every event up to this call. A recorder that is not running is returned unchanged.',
  parameters: { name },
  result: RecorderRecord,
  errors: ['recorder_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['recorder', 'stop'], positionals: ['name'] },
  http: { method: 'POST', path: '/api/v1/recorders/{name}/stop', success: 200 },
  examples: ['busbar recorder stop night'],
});

export const recorderUpdate = defineOperation({
  id: 'recorder.update',
  summary: 'Change the settings of a recorder that is stopped',
  description:
    'Settings that are not named stay. {} removes split, keep or trigger, and an empty list of channels selects all. A new file also changes the format to that of its extension. Changes of a recorder of the bench file last until the daemon ends.',
  parameters: { name, file: Type.Optional(file), ...settings, channels: changedChannels },
  result: RecorderRecord,
  errors: ['recorder_not_found', 'already_running', ...settingErrors],
  permission: 'operate',
  execution,
  cli: {
    words: ['recorder', 'update'],
    positionals: ['name'],
    names: { channels: 'channel' },
    except: ['format'],
  },
  http: {
    method: 'PATCH',
    path: '/api/v1/recorders/{name}',
    success: 200,
    bodyName: 'RecorderChange',
    bodyExamples: {
      short: { file: 'day-{n}.asc' },
      full: { file: 'day-{date}-{n}.asc', ...fullBody },
    },
  },
  examples: ['busbar recorder update night --split=max_seconds=600'],
});

export const recorderRemove = defineOperation({
  id: 'recorder.remove',
  summary: 'Remove a recorder that is stopped, and show its last record',
  description: 'Its files stay.',
  parameters: { name },
  result: RecorderRecord,
  errors: ['recorder_not_found', 'already_running'],
  permission: 'operate',
  execution,
  cli: { words: ['recorder', 'remove'], positionals: ['name'] },
  http: { method: 'DELETE', path: '/api/v1/recorders/{name}', success: 200 },
  examples: ['busbar recorder remove night'],
});

export const recorderFile = defineOperation({
  id: 'recorder.file',
  summary: 'Download a file of a recorder',
  description: `Sends the file as it is on the disk, up to its size when the request arrives. Files are those that the recorder lists; in a path, write / as %2F. At most ${downloadsAtOnce} downloads run at a time.`,
  parameters: {
    name,
    file: Type.String({
      description: 'File as the recorder lists it',
      minLength: 1,
      maxLength: 4096,
      examples: ['night-1.asc'],
    }),
  },
  result: Type.String({ description: 'Bytes of the file', format: 'binary' }),
  errors: [
    'recorder_not_found',
    'file_not_found',
    'file_unavailable',
    'path_outside_project',
    'busy',
  ],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: null,
  http: {
    method: 'GET',
    path: '/api/v1/recorders/{name}/files/{file}',
    success: 200,
    mediaType: 'application/octet-stream',
  },
});
