import { type Static, Type } from 'typebox';
import { counted, named, nullable, type RecordOf, recordCodes } from '../../base/schema/schemas.ts';
import { encodingMessages } from '../codecs/encode-linear.ts';
import { maxFailedChecks, maxShownBindings, modes, taskKinds } from '../image/image-values.ts';
import { SignalRulesRecord } from '../image/signal-rules-record.ts';
import { producers, signalTypes } from '../project/tables/signals.ts';
import { TaskWarning } from '../project/warnings.ts';
import { qualityMeanings, signalErrorMessages } from '../values/quality.ts';
import type { TaskCounter } from '../values/task-counters.ts';
import { taskErrorMessages } from '../values/task-error.ts';

/**
 * ```
 *            start             ready              stop
 *  loaded ──────────▶ starting ──────▶ running ──────────▶ stopping
 *    ▲                 │ │  ▲                                 │
 *    └──── refused ────┘ │  └───────── start ────────┐        │ released
 *                        └──────────── refused ──▶ stopped ◀──┘
 * ```
 *
 * A refused start restores the previous state. A stop waits for a start in progress.
 * Only a `loaded` or `stopped` instance can be unloaded.
 */
export const instanceStates = ['loaded', 'starting', 'running', 'stopping', 'stopped'] as const;
export type InstanceState = (typeof instanceStates)[number];

const TaskErrorCode = recordCodes('GatewayTaskErrorCode', taskErrorMessages);
const EncodingErrorCode = recordCodes('GatewayEncodingErrorCode', encodingMessages);
const QualityCode = recordCodes('GatewayQuality', qualityMeanings);
const SignalErrorCode = recordCodes('GatewaySignalErrorCode', signalErrorMessages);

const microseconds = (description: string) => Type.Integer({ minimum: 0, description });

/** Counters of a task. Counters of an instance are sums. */
const taskCounters = {
  accepted: counted('Transmissions that the transport took: sent, failed and pending ones'),
  sent: counted('Completions that were observed'),
  failed: counted('Accepted ones that failed'),
  pending: counted('Accepted ones without an outcome yet'),
  unconfirmed: counted('Pending ones that will have none, because the transport was released'),
  coalesced: counted('States that were replaced by newer ones before they were accepted'),
  queued_requests: counted('Requests of processors that wait'),
  cancelled_requests: counted('Requests of processors that were given up'),
  processor_rejected_requests: counted(
    'Requests of processors that were rejected: all of a group, also of one with too many',
  ),
  late: counted('Periods that began more than a millisecond late'),
  missed: counted('Whole periods that were skipped'),
  generated: counted('Frames built by protection'),
  injected: counted('Frames changed by fault rules'),
  unprotected: counted('Frames that bypassed protection'),
  dropped: counted('Frames dropped by fault rules'),
  repeated: counted('Frames repeated by fault rules'),
  suppressed: counted('Frames suppressed by fault rules'),
  fault_conflicts: counted('Opportunities at which fault rules excluded each other'),
} satisfies Record<TaskCounter, unknown>;

const Timing = named(
  'GatewayTiming',
  Type.Object({
    count: counted('Measurements'),
    max: microseconds('Largest one'),
    window: counted('Latest measurements, of which the percentiles are'),
    p50: microseconds('Median'),
    p95: microseconds('95th percentile'),
    p99: microseconds('99th percentile'),
  }),
);
export type Timing = Static<typeof Timing>;

export const GatewayTask = named(
  'GatewayTask',
  Type.Object({
    id: Type.String(),
    kind: Type.Enum([...taskKinds]),
    policy: nullable(Type.Enum(['periodic', 'on_change']), {
      description: 'null where processors decide',
    }),
    mode: Type.Enum([...modes]),
    period_ms: nullable(Type.Integer({ minimum: 1 })),
    state: Type.Enum([...instanceStates]),
    error: nullable(
      Type.Object({
        code: TaskErrorCode,
        message: Type.String(),
        timestamp_us: microseconds('Unix time in microseconds'),
      }),
    ),
    warning: nullable(TaskWarning, { description: 'What about the task is most likely not meant' }),
    ...taskCounters,
    last_lateness_us: microseconds('How late the latest period began'),
    max_lateness_us: microseconds('How late the latest of all began'),
    source_age_at_submit_us: Timing,
    tick_to_submit_us: Timing,
    completion_wait_us: Timing,
    queue_wait_us: Timing,
    protocol_wait_us: Timing,
  }),
);
export type GatewayTask = Static<typeof GatewayTask>;

export const GatewayInstance = named(
  'GatewayInstance',
  Type.Object({
    instance: Type.String(),
    state: Type.Enum([...instanceStates]),
    health: Type.Enum(['ok', 'degraded']),
    project_id: nullable(Type.String()),
    file: Type.String({ description: 'Where it was loaded from' }),
    loaded_at_us: microseconds('Load time as Unix time; distinguishes instances of the same name'),
    failed_tasks: counted('Tasks with an error, on all pages'),
    failed_checks: counted('Messages whose end-to-end check fails while their frames arrive'),
    failed_check_messages: Type.Array(Type.String(), {
      description: `Ids of these messages; the first ${maxFailedChecks}`,
    }),
    ...taskCounters,
    poll_coalesced: counted('Polled values that were replaced before they were used'),
    poll_missed: counted('Polls that were skipped'),
    rejected_frames: Type.Object({
      remote: counted('Remote frames'),
      short: counted('Frames with too few bytes'),
      e2e: counted('Frames that failed their check'),
    }),
    memory_budget_bytes: counted('Charged for this instance'),
    daemon_memory_budget_bytes: counted('Charged for all instances'),
    endpoint_total: counted('Endpoints in all; the first 256 are shown'),
    task_total: counted('Tasks in all'),
    task_offset: counted('Index of the first message of this page'),
    task_next_offset: counted('Index of the next page; the total after the last page'),
    endpoints: Type.Array(
      Type.Object({
        id: Type.String(),
        kind: Type.Enum(['can', 'modbus']),
        network: Type.String(),
        resolved: nullable(Type.String(), { description: 'Port or address; null before a start' }),
        connected: Type.Boolean(),
        error: nullable(Type.Object({ code: TaskErrorCode, message: Type.String() })),
      }),
    ),
    tasks: Type.Array(GatewayTask),
  }),
);
export type GatewayInstance = Static<typeof GatewayInstance>;

const BindingEntry = Type.Object({
  id: Type.String(),
  raw: Type.String({ description: 'Raw value, in decimal' }),
  valid: Type.Boolean(),
  error: nullable(Type.Object({ code: EncodingErrorCode, message: Type.String() }), {
    description: 'Why the value is not on the wire; cleared by the next that is',
  }),
});

export const GatewaySignal = named(
  'GatewaySignal',
  Type.Object({
    id: Type.String(),
    type: Type.Enum([...signalTypes]),
    producer: Type.Enum([...producers]),
    unit: nullable(Type.String()),
    value: nullable(Type.String(), { description: 'Exact value; null if there is none' }),
    label: nullable(Type.String(), { description: 'What the value is called' }),
    valid: Type.Boolean(),
    quality: QualityCode,
    observed_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    error: nullable(Type.Object({ code: SignalErrorCode, message: Type.String() })),
    binding_total: counted(`Bindings in all; the first ${maxShownBindings} are shown`),
    bindings: Type.Array(BindingEntry),
  }),
);
export type GatewaySignal = Static<typeof GatewaySignal>;

export const GatewaySignalRules = named(
  'GatewaySignalRules',
  Type.Object({ ...GatewaySignal.properties, ...SignalRulesRecord.properties }),
);
export type GatewaySignalRules = RecordOf<typeof GatewaySignalRules>;
