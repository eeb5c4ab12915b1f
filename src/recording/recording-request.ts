import type { FileIdentity } from '../base/files/file-identity.ts';
import type { ProtectedMessage } from '../condition/condition-context.ts';
import type { RecordingFormat } from './recording-record.ts';

/** A file is complete, and the next one opened, when either limit is reached. */
export interface FileSplit {
  readonly max_bytes?: number | undefined;
  readonly max_seconds?: number | undefined;
}

/** Only files in their list are removed, and that has to stay short. */
export const maxKeptFiles = 10_000;

/** The oldest files of the list are removed while either limit is exceeded. */
export interface FileRetention {
  readonly max_files?: number | undefined;
  readonly max_bytes?: number | undefined;
}

/** A database of the recorded channels, embedded into MF4 files and used by conditions. */
export interface RecordedDatabase {
  readonly name: string;
  /** Path as the user knows it. */
  readonly file: string;
  readonly type: 'dbc' | 'ldf';
  readonly content: Uint8Array;
  /** Channels that use it, by their number in the file. */
  readonly channels: readonly number[];
}

/** Conditions as text, because a compiled one cannot cross a thread. */
export interface RecordingTrigger {
  /** null: from the beginning. */
  readonly start: string | null;
  /** null: `post_ms` after the start, or never if that is 0. */
  readonly stop: string | null;
  readonly pre_ms: number;
  readonly post_ms: number;
  readonly once: boolean;
  /** Channel numbers by the selector that a condition names. */
  readonly channels: Readonly<Record<string, number>>;
  /** Channels that the conditions read in addition to the recorded ones. */
  readonly slots: readonly number[];
  /** Protected messages of gateways by `instance/message`, or why one cannot be checked. */
  readonly guarded: Readonly<Record<string, ProtectedMessage | string>>;
}

export interface RecordingRequest {
  /** null for logging, which fails on a full disk; named recorders wait for room. */
  readonly name: string | null;
  readonly bench: string;
  /** A plain path, or a pattern as `file-pattern.ts` describes. */
  readonly file: string;
  readonly format: RecordingFormat;
  readonly overwrite: boolean;
  readonly slots: readonly number[] | null;
  readonly split: FileSplit | null;
  readonly keep: FileRetention | null;
  readonly compress: boolean;
  readonly embed_databases: boolean;
  readonly databases: readonly RecordedDatabase[];
  readonly trigger: RecordingTrigger | null;
  readonly sync_seconds: number;
  readonly replayed: readonly FileIdentity[];
}

/** One file of everything, as logging writes it. */
export const plainRecording = (
  request: Pick<RecordingRequest, 'file' | 'format'> & Partial<RecordingRequest>,
): RecordingRequest => ({
  name: null,
  bench: '',
  overwrite: false,
  slots: null,
  split: null,
  keep: null,
  compress: false,
  embed_databases: false,
  databases: [],
  trigger: null,
  sync_seconds: 1,
  replayed: [],
  ...request,
});
