import { type Static, Type } from 'typebox';
import { ErrorBody } from '../../base/errors/error-schema.ts';
import { DurationRecord } from '../../base/schedule/duration-record.ts';
import { counted as count, named, nullable } from '../../base/schema/schemas.ts';
import { traceFormats } from '../../trace/trace-format.ts';

/**
 * Where the replay is that was started last:
 *
 * ```
 *         start               played, or stopped
 *  idle ────────▶ running ────────────────────────▶ finished
 *                 ▲  ▲ │                               │
 *                 │  │ └── an error ──▶ failed         │
 *                 │  └───── start ────────┘            │
 *                 └──────── start ─────────────────────┘
 * ```
 *
 * A start that is refused changes nothing. Changed by `replay.ts`, when its replayer ends, and by
 * `replay-service.ts`, which begins the next one.
 */
export const replayStates = ['idle', 'running', 'finished', 'failed'] as const;

/** A replay in the API; the same fields in every state. */
export const ReplayRecord = named(
  'Replay',
  Type.Object({
    state: Type.Enum([...replayStates]),
    stopped: Type.Boolean({ description: 'Whether it was ended before the file was' }),
    warning: nullable(Type.String(), {
      description: 'How many frames the channels refused, and why; null while they took all',
    }),
    file: nullable(Type.String(), { description: 'null before there was any replay' }),
    format: nullable(Type.Enum([...traceFormats])),
    channels: Type.Record(Type.String(), Type.String(), {
      description: 'Selectors by the channel of the file whose events they get',
    }),
    speed: nullable(Type.Number()),
    loop: Type.Boolean(),
    loops: count('How often the file was played to its end'),
    start_offset_us: count('Where in the trace the first loop begins'),
    position_us: count('How far in the trace it is, from the first event of the file'),
    duration_us: nullable(Type.Integer({ minimum: 0 }), {
      description: 'From the oldest event to the newest; null until the file was read to its end',
    }),
    progress: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How far in the file it is, by bytes; of the present loop',
    }),
    frames_sent: count('Events that a channel has taken'),
    frames_skipped: count('Events that were not sent'),
    skipped: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description:
        'Those by reason: unmapped_channel, before_offset, error_frame, not_on_bus, no_response, checksum_error, sync_break and wake_up, or what the channel answered: bus_off, listen_only, lost, unpowered and not_master',
    }),
    unread: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description:
        'What the file holds beside events, by what it is and as trace info counts it: marker, statistics, tx_request, symbolic and so on',
    }),
    malformed: count('Parts of the file that could not be understood'),
    truncated: Type.Boolean({ description: 'The file ends in the middle of something' }),
    out_of_order: count(
      'Events older than the one before them in the file; they go right behind it, and count as late',
    ),
    max_lateness_us: count('Latest that a frame was taken after its time'),
    deviation_us: {
      ...DurationRecord,
      description: 'How far from its time a frame was taken, before or after it',
    },
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    finished_at_us: nullable(Type.Integer(), { description: 'null while it runs' }),
    error: nullable(ErrorBody, { description: 'Why it failed' }),
  }),
);
export type ReplayRecord = Static<typeof ReplayRecord>;

export const idleRecord: ReplayRecord = {
  state: 'idle',
  stopped: false,
  warning: null,
  file: null,
  format: null,
  channels: {},
  speed: null,
  loop: false,
  loops: 0,
  start_offset_us: 0,
  position_us: 0,
  duration_us: null,
  progress: 0,
  frames_sent: 0,
  frames_skipped: 0,
  skipped: {},
  unread: {},
  malformed: 0,
  truncated: false,
  out_of_order: 0,
  max_lateness_us: 0,
  deviation_us: { count: 0, p50: 0, p99: 0, max: 0 },
  started_at_us: null,
  finished_at_us: null,
  error: null,
};
