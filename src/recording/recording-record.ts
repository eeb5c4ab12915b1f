import { type Static, Type } from 'typebox';
import { ErrorBody } from '../base/errors/error-schema.ts';
import { counted, named, nullable } from '../base/schema/schemas.ts';
import { type TraceFormat, traceFormats } from '../trace/trace-format.ts';

const loggingStates = ['idle', 'running', 'failed'] as const;
export const recorderStates = ['idle', 'armed', 'running', 'waiting', 'failed'] as const;
export const recordingFormats = traceFormats;
export type RecordingFormat = TraceFormat;

const RecordedChannel = Type.Object({
  channel: Type.Integer({ minimum: 1, description: 'Channel number in the file' }),
  slot: Type.Integer({ minimum: 0 }),
  selector: Type.String(),
  name: nullable(Type.String()),
});
export type RecordedChannel = Static<typeof RecordedChannel>;

const recordingFields = {
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
};

export const RecordingRecord = named(
  'Logging',
  Type.Object({
    state: Type.Enum([...loggingStates], {
      description: 'failed: the last logging stopped because of error',
    }),
    ...recordingFields,
  }),
);
export type RecordingRecord = Static<typeof RecordingRecord>;

export const RecordedFile = named(
  'RecordedFile',
  Type.Object({
    file: Type.String({ description: 'Path in the project' }),
    first_event_id: nullable(Type.Integer(), {
      description: 'Smallest event id in the file; null if it has no events, or is not known',
    }),
    last_event_id: nullable(Type.Integer(), {
      description:
        'Largest event id in the file; null also if it is not known, after a crash or on a full disk',
    }),
    frames: counted('Events in the file'),
    bytes: counted('File size'),
  }),
);
export type RecordedFile = Static<typeof RecordedFile>;

/** Fields of a recorder that its thread reports; counts are of all files since the start. */
export const recorderStatusFields = {
  state: Type.Enum([...recorderStates], {
    description:
      'armed: waiting for the start condition; waiting: the disk accepts nothing, as error says; failed: stopped because of error',
  }),
  ...recordingFields,
  file: nullable(Type.String(), { description: 'File or pattern as given' }),
  channels: Type.Array(RecordedChannel, {
    description: 'Recorded channels, including closed ones',
  }),
  frames: counted('Events recorded since the start'),
  bytes: counted('Bytes written since the start'),
  gaps: counted('Number of gaps since the start'),
  started_at_us: nullable(Type.Integer(), { description: 'Unix time of the last start' }),
  stopped_at_us: nullable(Type.Integer(), { description: 'null while it is started' }),
  error: nullable(ErrorBody, {
    description: 'Why the recorder waits or has failed, or why the list of its files is not saved',
  }),
  files: Type.Array(RecordedFile, { description: 'The latest 100 files, the newest last' }),
};
const RecorderStatus = Type.Object(recorderStatusFields);
export type RecorderStatus = Static<typeof RecorderStatus>;

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

export const noRecorderStatus: RecorderStatus = { ...noRecording, files: [] };

/** Logging neither arms nor waits. */
export const loggingRecord = ({ files: _, state, ...rest }: RecorderStatus): RecordingRecord => ({
  state: state === 'armed' || state === 'waiting' ? 'running' : state,
  ...rest,
});
