import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { buses } from '../frame/frm2-layout.ts';
import { traceFormats } from '../trace/trace-format.ts';

export const verdicts = ['passed', 'failed', 'not_observed'] as const;
export type Verdict = (typeof verdicts)[number];

const sinceStart = (description: string) =>
  Type.Integer({ description: `${description}, in microseconds since the start` });

/** A figure such as the longest cycle time. */
const CheckFigure = Type.Object({
  name: Type.String({ description: 'Such as count, min, mean, max, p99 or jitter' }),
  value: Type.Number(),
  unit: Type.String({ description: 'Unit of the value; empty if it has none' }),
});
export type CheckFigure = RecordOf<typeof CheckFigure>;

const CheckExcerptRow = Type.Object({
  time_us: sinceStart('Time'),
  event: counted('Number of the event: its event id if live, its position from 1 in a file'),
  channel: counted('Channel number, as in logs'),
  text: Type.String({ description: 'Frame as text, such as 7E8#0462F19001' }),
  is_violation: Type.Boolean({ description: 'Whether this event violates the check' }),
});
export type CheckExcerptRow = RecordOf<typeof CheckExcerptRow>;

const CheckViolation = Type.Object({
  time_us: sinceStart('Time'),
  event: nullable(Type.Integer({ minimum: 0 }), {
    description:
      'Number of the event: its event id if live, its position from 1 in a file; null if no event is the cause, as with a missing one',
  }),
  message: Type.String({ description: 'What was found and what was expected' }),
  excerpt: Type.Array(CheckExcerptRow, { description: 'Events around it, oldest first' }),
});
export type CheckViolation = RecordOf<typeof CheckViolation>;

/** Values over time, reduced to a bounded number of points. */
const CheckPlot = Type.Object({
  name: Type.String({ description: 'What is plotted, such as the cycle time' }),
  unit: Type.String(),
  low: nullable(Type.Number(), { description: 'Lowest allowed value' }),
  high: nullable(Type.Number(), { description: 'Highest allowed value' }),
  points: Type.Array(
    Type.Object({
      time_us: sinceStart('Time of the first value'),
      min: Type.Number(),
      max: Type.Number(),
    }),
    { description: 'Lowest and highest values of short times, at most 512' },
  ),
});
export type CheckPlot = RecordOf<typeof CheckPlot>;

const CheckResult = named(
  'CheckResult',
  Type.Object({
    id: Type.String({ description: 'Name of the check in its file, or its number from 1' }),
    check: Type.String({ description: 'Text of the check' }),
    verdict: Type.Enum([...verdicts]),
    reason: nullable(Type.String(), {
      description: 'Why the check failed or was not observed; null if it passed',
    }),
    figures: Type.Array(CheckFigure),
    violation_total: counted('Number of violations'),
    violations: Type.Array(CheckViolation, { description: 'The first ten violations' }),
    plot: nullable(CheckPlot),
  }),
);
export type CheckResult = RecordOf<typeof CheckResult>;

const CheckEnvironment = Type.Object({
  busbar_version: Type.String(),
  node_version: Type.String(),
  platform: Type.String({ description: 'Operating system and processor' }),
  trace: nullable(
    Type.Object({
      file: Type.String(),
      format: Type.Enum([...traceFormats]),
      size: nullable(Type.Integer({ minimum: 0 })),
      sha256: nullable(Type.String()),
    }),
    { description: 'Checked trace file; null if live' },
  ),
  channels: Type.Array(
    Type.Object({
      channel: counted('Channel number, as in logs'),
      bus: Type.Enum([...buses]),
      name: nullable(Type.String()),
      selector: nullable(Type.String(), { description: 'Stable selector; null in a file' }),
      mode: nullable(Type.String()),
      bitrate: nullable(Type.Number()),
      data_bitrate: nullable(Type.Number()),
    }),
  ),
  databases: Type.Array(
    Type.Object({
      file: Type.String(),
      channel: nullable(Type.String(), { description: 'Its channel; null: all channels' }),
      size: counted('File size'),
      sha256: Type.String(),
    }),
  ),
});
export type CheckEnvironment = RecordOf<typeof CheckEnvironment>;

export const CheckReport = named(
  'CheckReport',
  Type.Object({
    verdict: Type.Enum([...verdicts], {
      description: 'failed if a check failed, otherwise not_observed if one was not observed',
    }),
    passed: counted('Number of checks'),
    failed: counted('Number of checks'),
    not_observed: counted('Number of checks'),
    source: Type.Enum(['trace', 'live']),
    started_at_us: nullable(Type.Integer(), {
      description: 'Start as Unix time in microseconds; null if the file has none',
    }),
    duration_us: counted('Time that was checked'),
    events: counted('Events that were checked'),
    gaps: counted('Number of gaps'),
    missed: counted('Events lost in those gaps, if known'),
    checks: Type.Array(CheckResult),
    environment: CheckEnvironment,
  }),
);
export type CheckReport = RecordOf<typeof CheckReport>;
