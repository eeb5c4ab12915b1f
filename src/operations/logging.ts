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
  summary: 'Log channels to a trace file',
  description:
    'Logging begins when this call returns. The file must be inside the project directory, must not have the extension of another format than format, which is ASC by default, and must not be the trace being replayed. With channels, logging ends when all of them are closed; without, it logs all channels, including new ones, until it is stopped. Events lost because the disk is too slow are counted and marked in the file. If the file is removed or can no longer be written, logging ends as failed; what was written stays readable.',
  parameters: {
    file: Type.String({
      description: 'File to write',
      minLength: 1,
      maxLength: 4096,
      examples: ['drive.asc'],
    }),
    channels: selectors('Channels to log, by any selector; default: all'),
    format: withDefault(
      Type.Enum([...recordingFormats], {
        description: 'File format; a given one allows any file name',
      }),
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
  summary: 'Show the current or last logging session',
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
    'The file contains every event up to this call. If nothing is being logged, this returns the last session unchanged.',
  result: RecordingRecord,
  errors: [],
  permission: 'operate',
  execution,
  cli: { words: ['logging', 'stop'] },
  http: { method: 'DELETE', path: '/api/v1/logging', success: 200 },
});
