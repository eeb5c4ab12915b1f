import { Type } from 'typebox';
import { ChannelRecord } from '../bench/channel-record.ts';
import { DatabaseContent, DatabaseRecord, databaseTypes } from '../database/database-records.ts';
import { lookupErrors } from './channel.ts';
import { pathSelector } from './channel-schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { databasePage } from './limits.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;

const name = Type.String({
  description: 'Name of a loaded database',
  minLength: 1,
  maxLength: 128,
  examples: ['vehicle'],
});

export const databaseLoad = defineOperation({
  id: 'database.load',
  summary: 'Load a database with messages and signals',
  description:
    'The file must be inside the project directory. Minor errors with an unambiguous meaning are corrected and reported as diagnostics. An invalid file is rejected with line and column.',
  parameters: {
    file: Type.String({
      description: 'File to load',
      minLength: 1,
      maxLength: 4096,
      examples: ['vehicle.dbc'],
    }),
    name: Type.Optional(
      Type.String({
        description: 'Name for the database; default: the file name',
        minLength: 1,
        maxLength: 128,
        pattern: '^(?!\\.{1,2}$)[^/\\s\\u0000-\\u001f\\u007f]+$',
        'x-form': 'without blanks and slashes, and not . or ..',
        examples: ['vehicle'],
      }),
    ),
    type: Type.Optional(
      Type.Enum([...databaseTypes], {
        description: 'File format; default: the file name and the first bytes decide',
        examples: ['dbc'],
      }),
    ),
  },
  result: DatabaseRecord,
  errors: [
    'already_exists',
    'capacity_exceeded',
    'file_not_found',
    'file_unavailable',
    'path_outside_project',
    'invalid_database',
    'unsupported_database',
  ],
  permission: 'operate',
  execution,
  cli: { words: ['database', 'load'], positionals: ['file'] },
  http: {
    method: 'POST',
    path: '/api/v1/databases',
    success: 201,
    bodyName: 'DatabaseLoadRequest',
    bodyExamples: {
      short: { file: 'vehicle.dbc' },
      full: { file: 'vehicle.dbc', name: 'vehicle', type: 'dbc' },
    },
  },
  examples: [
    'busbar database load vehicle.dbc',
    'busbar database load body.dbc --name=body',
    'busbar database load doors.ldf',
  ],
});

export const databaseList = defineOperation({
  id: 'database.list',
  summary: 'List the loaded databases',
  result: Type.Object({ databases: Type.Array(DatabaseRecord) }),
  errors: [],
  permission: 'observe',
  execution,
  cli: {
    words: ['database', 'list'],
    columns: ['name', 'type', 'file', 'messages', 'signals', 'warnings', 'errors', 'loaded_at_us'],
  },
  http: { method: 'GET', path: '/api/v1/databases', success: 200 },
});

export const databaseShow = defineOperation({
  id: 'database.show',
  summary: 'Show a database: its diagnostics, messages and signals',
  description:
    'Results are paged: repeat with offset set to message_next_offset until it equals message_total. The response size limit may shorten a page. If signals of a message do not fit, signals_omitted says how many: request that message again by name, with signal_offset set to the number of signals already shown.',
  parameters: {
    name,
    message: Type.Optional(
      Type.String({
        description: 'Show only this message, by name or by identifier in printed hex',
        minLength: 1,
        maxLength: 256,
        examples: ['Engine'],
      }),
    ),
    offset: withDefault(
      Type.Integer({
        description: 'Index of the first message',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
    limit: withDefault(
      Type.Integer({
        description: 'Maximum number of messages',
        minimum: 1,
        maximum: databasePage.maximum,
      }),
      databasePage.default,
    ),
    signal_offset: withDefault(
      Type.Integer({
        description: 'Index of the first signal of the first message',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
  },
  result: DatabaseContent,
  errors: ['database_not_found', 'message_not_found'],
  permission: 'observe',
  execution,
  cli: {
    words: ['database', 'show'],
    positionals: ['name'],
    columns: {
      message_page: [
        ...['name', 'id', 'extended', 'pgn', 'fd', 'brs', 'length', 'senders'],
        ...['cycle_time_ms', 'comment', 'signals', 'signals_omitted'],
      ],
      signals: [
        ...['name', 'start_bit', 'length', 'byte_order', 'kind', 'factor', 'offset'],
        ...['minimum', 'maximum', 'unit', 'is_switch', 'multiplexing', 'values'],
      ],
    },
  },
  http: { method: 'GET', path: '/api/v1/databases/{name}', success: 200 },
  examples: [
    'busbar database show vehicle --limit=10',
    'busbar database show vehicle --message=Engine',
  ],
});

const channelPath = '/api/v1/channels/{selector}/databases/{name}';

export const databaseAttach = defineOperation({
  id: 'database.attach',
  summary: 'Attach a database to a channel',
  description:
    'Frames of the channel are named and decoded with its databases: the first one that has a message for a frame decides. Attaching a database again keeps the order. Attachments end when the channel is closed; the bench file names those that are made whenever it is opened.',
  parameters: { selector: pathSelector, name },
  result: ChannelRecord,
  errors: [...lookupErrors, 'database_not_found', 'capacity_exceeded'],
  permission: 'operate',
  execution,
  cli: {
    words: ['database', 'attach'],
    positionals: ['name'],
    names: { selector: 'channel', name: 'database' },
  },
  http: { method: 'PUT', path: channelPath, success: 200 },
  examples: ['busbar database attach vehicle --channel=powertrain'],
});

export const databaseDetach = defineOperation({
  id: 'database.detach',
  summary: 'Detach a database from a channel; signal plans made from it keep running',
  parameters: { selector: pathSelector, name },
  result: ChannelRecord,
  errors: [...lookupErrors, 'database_not_found'],
  permission: 'operate',
  execution,
  cli: {
    words: ['database', 'detach'],
    positionals: ['name'],
    names: { selector: 'channel', name: 'database' },
  },
  http: { method: 'DELETE', path: channelPath, success: 200 },
  examples: ['busbar database detach vehicle --channel=powertrain'],
});

export const databaseReload = defineOperation({
  id: 'database.reload',
  summary: 'Read the file of a database again after a change',
  description:
    'Channels use the new content for their next frame. Signal plans keep the layout that they were made with. A file that cannot be read leaves the database as it was.',
  parameters: { name },
  result: DatabaseRecord,
  errors: [
    'database_not_found',
    'capacity_exceeded',
    'file_not_found',
    'file_unavailable',
    'path_outside_project',
    'invalid_database',
  ],
  permission: 'operate',
  execution,
  cli: { words: ['database', 'reload'], positionals: ['name'] },
  http: { method: 'POST', path: '/api/v1/databases/{name}/reload', success: 200 },
  examples: ['busbar database reload vehicle'],
});

export const databaseUnload = defineOperation({
  id: 'database.unload',
  summary: 'Unload and detach a database; signal plans made from it keep running',
  parameters: { name },
  result: DatabaseRecord,
  errors: ['database_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['database', 'unload'], positionals: ['name'] },
  http: { method: 'DELETE', path: '/api/v1/databases/{name}', success: 200 },
  examples: ['busbar database unload vehicle'],
});
