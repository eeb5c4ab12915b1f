import { type Static, Type } from 'typebox';
import { ErrorBody } from '../../base/errors/error-schema.ts';
import { DurationRecord } from '../../base/schedule/duration-record.ts';
import { counted as count, named, nullable } from '../../base/schema/schemas.ts';
import { traceFormats } from '../../trace/trace-format.ts';

/**
 * States of the last replay:
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
 * A rejected start changes nothing. `replay-service.ts` starts a replay; `replay.ts` sets the final
 * state.
 */
export const replayStates = ['idle', 'running', 'finished', 'failed'] as const;

/** A replay in the API; the same fields in every state. */
export const ReplayRecord = named(
  'Replay',
  Type.Object({
    state: Type.Enum([...replayStates]),
    stopped: Type.Boolean({ description: 'Whether it was stopped before the end of the file' }),
    warning: nullable(Type.String(), {
      description: 'Number of rejected frames and the reason; null if there were none',
    }),
    file: nullable(Type.String(), {
      description: 'First file; null before the first replay',
    }),
    files: Type.Array(Type.String(), { description: 'Files, merged by time' }),
    format: nullable(Type.Enum([...traceFormats]), {
      description: 'null before the first replay, and if the files have several formats',
    }),
    channels: Type.Record(Type.String(), Type.String(), {
      description: 'Selectors by file channel',
    }),
    filter: nullable(Type.String(), { description: 'Condition of the frames that are sent' }),
    ids: Type.Record(Type.String(), Type.String(), {
      description: 'Identifiers that are sent, by identifier in the file',
    }),
    speed: nullable(Type.Number()),
    loop: Type.Boolean(),
    repeat: nullable(
      Type.Object({
        count: count('Number of loops'),
        pause_us: count('Time between two loops'),
      }),
    ),
    loops: count('Completed loops'),
    start_offset_us: count('Position in the trace where the first loop starts'),
    position_us: count('Current position in the trace, from the first event'),
    duration_us: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Time from the oldest event to the newest; null until the whole file was read',
    }),
    progress: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Progress in the file by bytes, in the current loop',
    }),
    frames_sent: count('Events accepted by a channel'),
    frames_skipped: count('Events not sent'),
    skipped: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description:
        'Events not sent, by reason: unmapped_channel, filtered, before_offset, error_frame, not_on_bus, no_response, checksum_error, sync_break and wake_up, or the error of the channel: bus_off, listen_only, lost, unpowered and not_master',
    }),
    unread: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description:
        'Other entries of the file by type, as in trace info: marker, statistics, tx_request, symbolic and so on',
    }),
    malformed: count('Number of invalid parts of the file'),
    truncated: Type.Boolean({ description: 'Whether the file is truncated' }),
    out_of_order: count(
      'Events older than the previous one in the file; they are sent right after it and count as late',
    ),
    max_lateness_us: count('Maximum lateness of a frame'),
    deviation_us: {
      ...DurationRecord,
      description: 'Deviation from the intended time, early or late',
    },
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    finished_at_us: nullable(Type.Integer(), { description: 'null while running' }),
    error: nullable(ErrorBody, { description: 'Reason for the failure' }),
  }),
);
export type ReplayRecord = Static<typeof ReplayRecord>;

export const idleRecord: ReplayRecord = {
  state: 'idle',
  stopped: false,
  warning: null,
  file: null,
  files: [],
  format: null,
  channels: {},
  filter: null,
  ids: {},
  speed: null,
  loop: false,
  repeat: null,
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
