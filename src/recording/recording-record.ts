import { type Static, Type } from 'typebox';
import { ErrorBody } from '../base/errors/error-schema.ts';
import { counted, named, nullable } from '../base/schema/schemas.ts';

const recordingStates = ['idle', 'running', 'failed'] as const;
export const recordingFormats = ['asc'] as const;

const RecordedChannel = Type.Object({
  channel: Type.Integer({ minimum: 1, description: 'Channel number in the file' }),
  slot: Type.Integer({ minimum: 0 }),
  selector: Type.String(),
  name: nullable(Type.String()),
});
export type RecordedChannel = Static<typeof RecordedChannel>;

export const RecordingRecord = named(
  'Logging',
  Type.Object({
    state: Type.Enum([...recordingStates], {
      description: 'failed: the last logging stopped because of error',
    }),
    file: nullable(Type.String(), {
      description: 'File as given; null before the first logging session',
    }),
    format: nullable(Type.Enum([...recordingFormats])),
    channels: Type.Array(RecordedChannel, {
      description: 'Channels in the file, including closed ones',
    }),
    frames: counted('Events in the file'),
    bytes: counted('File size'),
    gaps: counted('Number of gaps in the file'),
    missed: counted('Events lost in those gaps'),
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    stopped_at_us: nullable(Type.Integer(), { description: 'null while running' }),
    error: nullable(ErrorBody, { description: 'Reason for the failure' }),
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
