import type { ErrorRecord } from '../base/errors/busbar-error.ts';

export const recordingStates = ['idle', 'running', 'failed'] as const;
export const recordingFormats = ['asc'] as const;

/** A channel in a file: its number there, and what it is on the bench. */
export interface RecordedChannel {
  readonly channel: number;
  readonly slot: number;
  readonly selector: string;
  readonly name: string | null;
}

/** A recording as callers see it: the one that runs, or the last one. */
export interface RecordingRecord {
  readonly state: (typeof recordingStates)[number];
  readonly file: string | null;
  readonly format: (typeof recordingFormats)[number] | null;
  readonly channels: readonly RecordedChannel[];
  /** Events in the file. */
  readonly frames: number;
  /** Size of the file. */
  readonly bytes: number;
  /** Places in the file where events are missing, and how many are missing in all of them. */
  readonly gaps: number;
  readonly missed: number;
  readonly started_at_us: number | null;
  readonly stopped_at_us: number | null;
  /** Why it has failed. */
  readonly error: ErrorRecord | null;
}

/** Where nothing was ever recorded. */
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
