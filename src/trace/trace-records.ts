import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { traceFormats } from './trace-format.ts';

/** Counts by name. */
const countsByName = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

/** Everything in a file besides its events. */
const accountFields = {
  skipped: countsByName('What was passed over on purpose, by what it was'),
  gaps: counted('Places where the file says that events are missing'),
  missed: counted('Events missing there, as far as it tells how many'),
  malformed: counted('Parts that could not be understood'),
  flaws: Type.Array(
    Type.Object({
      at: Type.Integer({ description: 'Line of a text from 1, or byte offset in a BLF file' }),
      message: Type.String(),
    }),
    { description: 'The first of those parts' },
  ),
  truncated: Type.Boolean({ description: 'The file ends in the middle of something' }),
};

const ChannelSummary = Type.Object({
  channel: Type.Integer({ description: 'As the file numbers it', minimum: 0 }),
  bus: Type.Enum(['can', 'lin'], { description: 'CAN and LIN count their channels apart' }),
  name: nullable(Type.String()),
  events: counted('Events of the channel'),
  first_us: Type.Integer({ description: 'Time of its first event since the start' }),
  last_us: Type.Integer(),
});
export type ChannelSummary = RecordOf<typeof ChannelSummary>;

const TraceSummary = Type.Object({
  complete: Type.Boolean({
    description: 'Whether that is all of it; else everything here tells only of that part',
  }),
  format: Type.Enum([...traceFormats]),
  started_at_us: nullable(Type.Integer(), {
    description: 'Unix time in microseconds from which times count; null if the file has none',
  }),
  duration_us: counted('From the first event to the last'),
  events: counted('Frames of all kinds'),
  buses: Type.Object({ can: counted('Events'), canfd: counted('Events'), lin: counted('Events') }),
  kinds: Type.Object({ rx_frame: counted('Received'), tx_complete: counted('Sent') }),
  error_frames: counted('Error frames'),
  remote_frames: counted('Remote frames'),
  distinct_ids: counted('Identifiers; those of 11 bits, of 29 bits and of LIN differ'),
  out_of_order: counted('Events that are older than the one before them'),
  longest_pause_us: counted('Longest time between two events'),
  channels: Type.Array(ChannelSummary),
  ...accountFields,
});
export type TraceSummary = RecordOf<typeof TraceSummary>;

export const TraceFileSummary = named(
  'TraceSummary',
  Type.Object({
    file: Type.String(),
    size: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Bytes of the file; null of a pipe',
    }),
    bytes: counted('Bytes of the file that were read'),
    ...TraceSummary.properties,
  }),
);
export type TraceFileSummary = RecordOf<typeof TraceFileSummary>;

const Conversion = Type.Object({
  read: counted('Events of the input'),
  written: counted('Events of the output'),
  filtered: counted('Events of other channels'),
  unwritten: countsByName('Events that the output has no room for, by why'),
  clamped: counted('Events before the start, written with the time of the start'),
});
export type Conversion = RecordOf<typeof Conversion>;

export const TraceConversion = named(
  'TraceConversion',
  Type.Object({
    input: Type.String(),
    input_format: Type.Enum([...traceFormats]),
    output: Type.String(),
    output_format: Type.Enum([...traceFormats]),
    started_at_us: nullable(Type.Integer(), {
      description:
        'Start of the input as a Unix time; null if it has none. ASC and candump then begin in 1970',
    }),
    bytes: counted('Bytes that were written'),
    ...Conversion.properties,
    ...accountFields,
  }),
);
export type TraceConversion = RecordOf<typeof TraceConversion>;
