import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { traceFormats } from '../trace/trace-format.ts';
import { accountFields } from '../trace/trace-records.ts';
import { tableFormats } from './table-format.ts';

const inputFields = {
  file: Type.String(),
  format: Type.Enum([...traceFormats], { description: 'Format of the trace' }),
  started_at_us: nullable(Type.Integer(), {
    description: 'Start of the trace as Unix time; null if it has none: times start in 1970',
  }),
  read: counted('Events read'),
  decoded: counted('Frames with a selected message'),
  pdus: counted('J1939 payloads longer than a frame, with a selected message'),
  not_selected: counted('Frames whose messages have no selected signal'),
  filtered: counted('Events that the filter does not pass'),
  outside: counted('Other events before from, or at or after to'),
  unusable: counted('Error and remote frames, and LIN frames without a valid response'),
  unknown: counted('Frames without a message in the databases of their channel'),
  unknown_ids: counted('Distinct identifiers of these frames, by channel; at most 65,536'),
  most_unknown: Type.Array(
    Type.Object({
      channel: Type.String(),
      id: Type.Integer({ minimum: 0 }),
      extended: Type.Boolean(),
      frames: counted('Frames'),
    }),
    { description: 'Most frequent of these identifiers, up to 20' },
  ),
  omitted_signals: Type.Array(
    Type.Object({
      database: Type.String(),
      message: Type.String(),
      signal: Type.String(),
      reason: Type.String(),
    }),
    { description: 'Selected signals that cannot be decoded, up to 100' },
  ),
};

export const TraceDecoding = named(
  'TraceDecoding',
  Type.Object({
    ...inputFields,
    output: Type.String(),
    output_format: Type.Enum([...tableFormats]),
    bytes: counted('Bytes written'),
    rows: counted('Rows written'),
    samples: counted('Values decoded'),
    ...accountFields,
  }),
);
export type TraceDecoding = RecordOf<typeof TraceDecoding>;

const value = (description: string) => nullable(Type.String(), { description });

const SignalSummary = Type.Object({
  signal: Type.String(),
  unit: Type.String(),
  count: counted('Samples'),
  first: value('First value; null if it is no number'),
  last: value('Last value'),
  minimum: value('Smallest value'),
  maximum: value('Largest value'),
});
export type SignalSummary = RecordOf<typeof SignalSummary>;

const microseconds = (description: string) => nullable(Type.Integer(), { description });

const MessageSummary = Type.Object({
  channel: Type.String(),
  message: Type.String(),
  count: counted('Frames, or J1939 payloads longer than a frame'),
  cycle_us: Type.Object(
    {
      minimum: microseconds('Shortest time between two frames'),
      mean: microseconds('Mean'),
      p99: microseconds('99 of 100 are not longer; at most 1/32 too high'),
      maximum: microseconds('Longest'),
    },
    { description: 'Time from frame to frame; null values with fewer than two frames' },
  ),
  signals: Type.Array(SignalSummary),
});
export type MessageSummary = RecordOf<typeof MessageSummary>;

export const TraceSignals = named(
  'TraceSignals',
  Type.Object({ ...inputFields, messages: Type.Array(MessageSummary), ...accountFields }),
);
export type TraceSignals = RecordOf<typeof TraceSignals>;
