import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { traceFormats } from './trace-format.ts';

const countsByName = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

export const accountFields = {
  skipped: countsByName('Skipped entries, by type'),
  gaps: counted('Number of gaps that the file reports'),
  missed: counted('Events lost in those gaps, if known'),
  malformed: counted('Number of invalid parts'),
  flaws: Type.Array(
    Type.Object({
      at: Type.Integer({ description: 'Line number from 1, or byte offset in BLF and MF4 files' }),
      message: Type.String(),
    }),
    { description: 'First invalid parts' },
  ),
  truncated: Type.Boolean({ description: 'Whether the file is truncated' }),
};

const ChannelSummary = Type.Object({
  channel: Type.Integer({ description: 'Channel number in the file', minimum: 0 }),
  bus: Type.Enum(['can', 'lin'], { description: 'CAN and LIN channels are numbered separately' }),
  name: nullable(Type.String()),
  events: counted('Events of the channel'),
  first_us: Type.Integer({ description: 'Time of the first event since the start' }),
  last_us: Type.Integer(),
});
export type ChannelSummary = RecordOf<typeof ChannelSummary>;

const TraceSummary = Type.Object({
  complete: Type.Boolean({
    description: 'Whether the whole file was read; otherwise the values cover only a part',
  }),
  format: Type.Enum([...traceFormats]),
  started_at_us: nullable(Type.Integer(), {
    description: 'Start time as Unix time in microseconds; null if the file has none',
  }),
  duration_us: counted('Time from the first event to the last'),
  events: counted('All frames'),
  buses: Type.Object({ can: counted('Events'), canfd: counted('Events'), lin: counted('Events') }),
  kinds: Type.Object({ rx_frame: counted('Received'), tx_complete: counted('Sent') }),
  error_frames: counted('Error frames'),
  remote_frames: counted('Remote frames'),
  distinct_ids: counted(
    'Distinct identifiers; 11-bit, 29-bit and LIN identifiers are distinguished',
  ),
  out_of_order: counted('Events that are older than the previous one'),
  longest_pause_us: counted('Longest time between two events'),
  channels: Type.Array(ChannelSummary),
  ...accountFields,
});
export type TraceSummary = RecordOf<typeof TraceSummary>;

export const TraceFileSummary = named(
  'TraceSummary',
  Type.Object({
    file: Type.String(),
    size: nullable(Type.Integer({ minimum: 0 }), { description: 'File size; null for a pipe' }),
    bytes: counted('Bytes read'),
    ...TraceSummary.properties,
  }),
);
export type TraceFileSummary = RecordOf<typeof TraceFileSummary>;

const Conversion = Type.Object({
  read: counted('Events read'),
  written: counted('Events written'),
  filtered: counted('Events of other channels, and those that the filter does not pass'),
  unwritten: countsByName('Events that the output format does not support, by reason'),
  clamped: counted('Events before the start, written with the start time'),
});
export type Conversion = RecordOf<typeof Conversion>;

const CutCounts = Type.Object({
  read: counted('Events read'),
  fired: counted('How often the condition fired: a state fires when it becomes true'),
  excerpts: counted('Parts of the input in the output'),
  written: counted('Events written'),
  cut: counted('Events that are not near the condition'),
  unwritten: Conversion.properties.unwritten,
  clamped: Conversion.properties.clamped,
});
export type CutCounts = RecordOf<typeof CutCounts>;

export const TraceConversion = named(
  'TraceConversion',
  Type.Object({
    input: Type.String(),
    input_format: Type.Enum([...traceFormats]),
    output: Type.String(),
    output_format: Type.Enum([...traceFormats]),
    started_at_us: nullable(Type.Integer(), {
      description:
        'Start of the input as Unix time; null if it has none, in which case ASC and candump start in 1970',
    }),
    bytes: counted('Bytes written'),
    ...Conversion.properties,
    ...accountFields,
  }),
);
export type TraceConversion = RecordOf<typeof TraceConversion>;

export const TraceCut = named(
  'TraceCut',
  Type.Object({
    file: Type.String(),
    input_format: Type.Enum([...traceFormats]),
    when: Type.String({ description: 'The condition as it is understood' }),
    output: Type.String(),
    output_format: Type.Enum([...traceFormats]),
    started_at_us: TraceConversion.properties.started_at_us,
    bytes: counted('Bytes written'),
    ...CutCounts.properties,
    ...accountFields,
  }),
);
export type TraceCut = RecordOf<typeof TraceCut>;
