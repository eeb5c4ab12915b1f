import { Type } from 'typebox';
import { RecordingRecord, recordingFormats } from '../recording/recording-record.ts';
import { lookupErrors } from './channel.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;

const selectors = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      description,
      minItems: 1,
      maxItems: 64,
      examples: [['SIM00001/0']],
    }),
  );

export const loggingStart = defineOperation({
  id: 'logging.start',
  summary: 'Log channels to a file in ASC format',
  description:
    'Logs what comes once this has answered. The file must lie inside the directory that the daemon was started in, and must not be named like one of another format, such as .blf or .log, nor be the trace that is being replayed. Where channels are named, logging ends by itself when all of them are closed; else it goes on until it is stopped, and channels opened meanwhile are logged too. Events that the disk was too slow for are missing, counted, and marked in the file. A file that takes no more, or that was removed, ends the logging as failed: what is in it stays readable.',
  parameters: {
    file: Type.String({
      description: 'File to write',
      minLength: 1,
      maxLength: 4096,
      examples: ['drive.asc'],
    }),
    channels: selectors('Channels to log, by any selector; all of them if left out'),
    format: withDefault(
      Type.Enum([...recordingFormats], { description: 'Format of the file' }),
      'asc',
    ),
    overwrite: withDefault(Type.Boolean({ description: 'Replace the file if it exists' }), false),
  },
  result: RecordingRecord,
  errors: [
    ...lookupErrors,
    'channel_not_open',
    'already_running',
    'already_exists',
    'busy',
    'capacity_exceeded',
    'file_not_found',
    'file_unavailable',
    'path_outside_project',
    'operation_cancelled',
  ],
  permission: 'operate',
  execution,
  cli: {
    words: ['logging', 'start'],
    positionals: ['file'],
    names: { channels: 'channel' },
    except: ['format'],
  },
  http: {
    method: 'POST',
    path: '/api/v1/logging',
    success: 201,
    bodyName: 'LoggingStartRequest',
    bodyExamples: {
      short: { file: 'drive.asc' },
      full: { file: 'drive.asc', channels: ['SIM00001/0'], format: 'asc', overwrite: true },
    },
  },
  examples: [
    'busbar logging start drive.asc',
    'busbar logging start drive.asc --channel=SIM00001/0 --channel=body --overwrite',
  ],
});

export const loggingStatus = defineOperation({
  id: 'logging.status',
  summary: 'Show what is being logged, or what was logged last',
  result: RecordingRecord,
  errors: [],
  permission: 'observe',
  execution,
  cli: { words: ['logging', 'status'] },
  http: { method: 'GET', path: '/api/v1/logging', success: 200 },
});

export const loggingStop = defineOperation({
  id: 'logging.stop',
  summary: 'Stop logging and complete the file',
  description:
    'The file has everything that came before. Where nothing is logged, this answers the last record and changes nothing.',
  result: RecordingRecord,
  errors: [],
  permission: 'operate',
  execution,
  cli: { words: ['logging', 'stop'] },
  http: { method: 'DELETE', path: '/api/v1/logging', success: 200 },
});
