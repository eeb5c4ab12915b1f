import { Type } from 'typebox';
import { ReplayRecord } from '../transmit/replay/replay-record.ts';
import { mostMappings, speedLimits } from '../transmit/replay/replay-request.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;

export const replayStart = defineOperation({
  id: 'replay.start',
  summary: 'Replay a trace on open channels, with its own timing',
  description: [
    'Reads ASC, BLF and candump logs inside the directory that the daemon was started in. Frames that were received and frames that were sent are both sent again, each at its time: (its time − that of the first event − start_offset_us) ÷ speed after the start. Events that fall within 50 µs go together. What cannot be sent is passed over and counted by its reason; a frame that finds the queue full waits, in order, and is never dropped.',
    'A LIN master sends every frame with its data behind its own header. A LIN slave answers headers with the data from its time on, until the replay ends: at the end of the file that is one second after the last event, so that a header can still ask for it; where the replay is stopped or fails it is at once.',
    'With loop the file begins anew, without the offset, one millisecond after its last event. One replay runs at a time.',
  ].join('\n\n'),
  parameters: {
    file: Type.String({
      description: 'File to replay',
      minLength: 1,
      maxLength: 4096,
      examples: ['drive.asc'],
    }),
    channels: Type.Optional(
      Type.Record(Type.String(), selector('Channel to send on'), {
        description:
          'Which channel of the file is sent where: a selector for each of its channel numbers, or interface names in a candump log. C1 is channel 1 of CAN alone, L1 that of LIN. At least one is needed',
        minProperties: 1,
        maxProperties: mostMappings,
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
            'One channel of the file and where it is sent, <file channel>=<selector>; once for each, instead of channels',
          minItems: 1,
          maxItems: mostMappings,
          examples: [['1=SIM00001/0']],
        },
      ),
    ),
    speed: withDefault(
      Type.Number({
        description: 'How many times as fast as it was recorded',
        ...speedLimits,
        examples: [2],
      }),
      1,
    ),
    loop: withDefault(Type.Boolean({ description: 'Begin anew whenever the file ends' }), false),
    start_offset_us: withDefault(
      Type.Integer({
        description: 'Begin this long behind the first event of the file',
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
    positionals: ['file'],
    only: ['map'],
    needs: ['map'],
    except: ['channels'],
  },
  http: {
    method: 'POST',
    path: '/api/v1/replay',
    success: 201,
    bodyName: 'ReplayStartRequest',
    needs: ['channels'],
    bodyExamples: {
      short: { file: 'drive.asc', channels: { 1: 'SIM00001/0' } },
      full: {
        file: 'drive.asc',
        channels: { 1: 'SIM00001/0', 2: 'SIM00001/2' },
        speed: 1,
        loop: false,
        start_offset_us: 0,
      },
    },
  },
  examples: [
    'busbar replay start drive.asc --map=1=SIM00001/0 --map=2=SIM00001/2',
    'busbar replay start drive.blf --map=1=powertrain --speed=2 --loop',
    'busbar replay start candump.log --map=can0=SIM00001/0 --start-offset-us=5000000',
  ],
});

export const replayStatus = defineOperation({
  id: 'replay.status',
  summary: 'Show the replay that runs, or what became of the last one',
  result: ReplayRecord,
  errors: [],
  permission: 'observe',
  execution,
  cli: { words: ['replay', 'status'] },
  http: { method: 'GET', path: '/api/v1/replay', success: 200 },
});

export const replayStop = defineOperation({
  id: 'replay.stop',
  summary: 'Stop the replay; frames that a channel has taken are still sent',
  description:
    'Answers the final record: finished, with stopped true. Where nothing runs it answers the last record unchanged.',
  result: ReplayRecord,
  errors: [],
  permission: 'operate',
  execution,
  cli: { words: ['replay', 'stop'] },
  http: { method: 'DELETE', path: '/api/v1/replay', success: 200 },
});
