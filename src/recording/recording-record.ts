import { type Static, Type } from 'typebox';
import { ErrorBody } from '../base/errors/error-schema.ts';
import { counted, named, nullable } from '../base/schema/schemas.ts';

const recordingStates = ['idle', 'running', 'failed'] as const;
export const recordingFormats = ['asc'] as const;

const RecordedChannel = Type.Object({
  channel: Type.Integer({ minimum: 1, description: 'Its number in the file' }),
  slot: Type.Integer({ minimum: 0 }),
  selector: Type.String(),
  name: nullable(Type.String()),
});
export type RecordedChannel = Static<typeof RecordedChannel>;

/** A recording in the API: the current or the last one. */
export const RecordingRecord = named(
  'Logging',
  Type.Object({
    state: Type.Enum([...recordingStates], {
      description: 'failed: the last logging stopped because of error',
    }),
    file: nullable(Type.String(), {
      description: 'As it was named; null before the first logging',
    }),
    format: nullable(Type.Enum([...recordingFormats])),
    channels: Type.Array(RecordedChannel, {
      description: 'Channels that are in the file, those closed meanwhile included',
    }),
    frames: counted('Events in the file'),
    bytes: counted('Size of the file'),
    gaps: counted('Places in the file where events are missing'),
    missed: counted('Events that are missing there'),
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    stopped_at_us: nullable(Type.Integer(), { description: 'null while it runs' }),
    error: nullable(ErrorBody, { description: 'Why it has failed' }),
  }),
);
export type RecordingRecord = Static<typeof RecordingRecord>;

export const noRecording: RecordingRecord = {
  state: 'idle',
  file: null,
  format: null,
  channels: [],
  frames: 0,
  bytes: 0,
  gaps: 0,
  missed: 0,
  started_at_us: null,
  stopped_at_us: null,
  error: null,
};
