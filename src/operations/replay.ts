import { Type } from 'typebox';
import { idForm } from '../frame/id-pattern.ts';
import { maxIdChanges } from '../transmit/replay/replay-ids.ts';
import { ReplayRecord } from '../transmit/replay/replay-record.ts';
import {
  maxFiles,
  maxMappings,
  repeatLimits,
  speedLimits,
} from '../transmit/replay/replay-request.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';

const filePath = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 4096, examples: ['drive.asc'] });

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;

export const replayStart = defineOperation({
  id: 'replay.start',
  summary: 'Replay a trace on open channels with its original timing',
  description: [
    'Reads ASC, BLF and MF4 files and candump logs inside the project directory. Received and sent frames are both sent, each at (its time − time of the first event − start_offset_us) ÷ speed after the start. Events within 50 µs are sent together. Events that cannot be sent are skipped and counted by reason. If the queue is full, frames wait in order; none are dropped.',
    'A LIN master sends every frame with header and data. A LIN slave responds to headers with the data, from its time until the replay ends. At the end of the file the replay runs for one more second, so that a header can still request the last data; if the replay is stopped or fails, it ends immediately.',
    'Several files are merged by their dates and times. A mapping applies to every file that has such a channel; 2:1 is channel 1 of the second file. Files without dates start together and cannot be merged with others.',
    'With loop, the files restart one millisecond after their last event, without the offset; repeat limits how often. Only one replay can run at a time.',
  ].join('\n\n'),
  parameters: {
    file: Type.Optional(filePath('File to replay')),
    files: Type.Optional(
      Type.Array(filePath('File to replay'), {
        description: 'Files to replay, merged by time, instead of file',
        minItems: 1,
        maxItems: maxFiles,
        examples: [['engine.blf', 'body.blf']],
      }),
    ),
    channels: Type.Optional(
      Type.Record(Type.String(), selector('Channel to send on'), {
        description:
          'Channel mapping: a selector for each channel number of the file, or interface name in a candump log. C1 is CAN channel 1 only, L1 is LIN channel 1 only, 2:1 is channel 1 of the second file. At least one is required',
        minProperties: 1,
        maxProperties: maxMappings,
        examples: [{ 1: 'SIM00001/0' }],
      }),
    ),
    map: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 3,
          maxLength: 400,
          pattern: '^[^=]+=.+$',
          'x-form': '<file channel>=<selector>',
        }),
        {
          description:
            'Mapping of one file channel, <file channel>=<selector>; repeatable, instead of channels',
          minItems: 1,
          maxItems: maxMappings,
          examples: [['1=SIM00001/0']],
        },
      ),
    ),
    filter: Type.Optional(
      Type.String({
        description:
          'Condition of the events that are sent: those at which it fires, or during which it holds. It sees the events of mapped channels, whose names are those in the file, with the identifiers of the file; signals are those of the databases that are attached to the channel to send on',
        minLength: 1,
        maxLength: 4096,
        examples: ['frame 100-1FF and signal Engine.EngineSpeed > 3000'],
      }),
    ),
    ids: Type.Optional(
      Type.Record(Type.String(), Type.String({ 'x-form': idForm }), {
        description:
          'Identifiers to send instead of those in the file, as printed: 123 (up to 3 digits: 11-bit or LIN), 18FF50E5 (8 digits: 29-bit). Data are not changed',
        maxProperties: maxIdChanges,
        examples: [{ 123: '124' }],
      }),
    ),
    speed: withDefault(
      Type.Number({
        description: 'Speed factor: 2 is twice as fast as recorded',
        ...speedLimits,
        examples: [2],
      }),
      1,
    ),
    loop: withDefault(Type.Boolean({ description: 'Restart when the file ends' }), false),
    repeat: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({
            description: 'How often the files are sent',
            ...repeatLimits.count,
          }),
          pause_us: withDefault(
            Type.Integer({
              description: 'Time from the last event to the first of the next pass, at any speed',
              minimum: repeatLimits.pauseUs.minimum,
              maximum: repeatLimits.pauseUs.maximum,
            }),
            repeatLimits.pauseUs.default,
          ),
        },
        {
          description: 'Limited number of loops, instead of loop',
          additionalProperties: false,
          examples: [{ count: 10, pause_us: 500_000 }],
        },
      ),
    ),
    start_offset_us: withDefault(
      Type.Integer({
        description: 'Time to skip after the first event of the file',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [5_000_000],
      }),
      0,
    ),
  },
  result: ReplayRecord,
  errors: [
    ...lookupErrors.filter((code) => code !== 'channel_not_found'),
    'channel_not_open',
    'already_running',
    'file_not_found',
    'file_unavailable',
    'path_outside_project',
    'invalid_trace',
  ],
  permission: 'operate',
  execution,
  cli: {
    words: ['replay', 'start'],
    positionals: ['files'],
    only: ['map'],
    needs: ['files', 'map'],
    except: ['file', 'channels'],
  },
  http: {
    method: 'POST',
    path: '/api/v1/replay',
    success: 201,
    bodyName: 'ReplayStartRequest',
    needs: ['channels'],
    bodyRule: { oneOf: [{ required: ['file'] }, { required: ['files'] }] },
    bodyExamples: {
      short: { file: 'drive.asc', channels: { 1: 'SIM00001/0' } },
      full: {
        files: ['engine.blf', 'body.blf'],
        channels: { 1: 'SIM00001/0', '2:1': 'SIM00001/2' },
        filter: 'frame 100-1FF or frame 7E8 on 2:1',
        ids: { 123: '124' },
        speed: 1,
        loop: false,
        repeat: { count: 10, pause_us: 500_000 },
        start_offset_us: 0,
      },
    },
  },
  examples: [
    'busbar replay start drive.asc --map=1=SIM00001/0 --map=2=SIM00001/2',
    'busbar replay start drive.blf --map=1=powertrain --speed=2 --loop',
    'busbar replay start candump.log --map=can0=SIM00001/0 --start-offset-us=5000000',
    'busbar replay start engine.blf body.blf --map=1:1=engine --map=2:1=body --repeat=count=10,pause-us=500000',
    "busbar replay start drive.asc --map=1=SIM00001/0 --filter='frame 100-1FF or frame 7E8'",
    'busbar replay start drive.asc --map=1=SIM00001/0 --ids=123=124,18FF50E5=18FF50E6',
  ],
});

export const replayStatus = defineOperation({
  id: 'replay.status',
  summary: 'Show the current or last replay',
  result: ReplayRecord,
  errors: [],
  permission: 'observe',
  execution,
  cli: { words: ['replay', 'status'] },
  http: { method: 'GET', path: '/api/v1/replay', success: 200 },
});

export const replayStop = defineOperation({
  id: 'replay.stop',
  summary: 'Stop the replay; frames already accepted by a channel are still sent',
  description:
    'Returns the final state: finished, with stopped true. If no replay is running, it returns the last one unchanged.',
  result: ReplayRecord,
  errors: [],
  permission: 'operate',
  execution,
  cli: { words: ['replay', 'stop'] },
  http: { method: 'DELETE', path: '/api/v1/replay', success: 200 },
});
