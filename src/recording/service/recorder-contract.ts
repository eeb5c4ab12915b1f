import type { Port } from '../../base/threads/rpc-port.ts';
import type { Thread } from '../../base/threads/thread.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { RecorderChannel, RecordingRequest } from '../recorder.ts';
import type { RecordingRecord } from '../recording-record.ts';

/** A recorder thread. */
export type RecorderThread = Port & Thread;

export interface RecorderStart {
  readonly projectRoot: string;
  readonly unixOffsetUs: number;
  readonly broker: {
    readonly memory: SharedArrayBuffer;
    readonly reader: number;
    readonly channels: readonly RecorderChannel[];
  };
}

/** Calls of the recorder thread. */
export type RecorderRpc = {
  /** Opens the file and records everything published later. */
  begin(request: RecordingRequest): RecordingRecord;
  channelOpening(entry: RecorderChannel): void;
  /** Releases a closed channel, whose memory may then be reused. */
  channelClosed(slot: number): void;
  record(): RecordingRecord;
  consumersOf(slot: number): readonly Consumer[];
  /** Completes the file with everything published so far. */
  finish(): RecordingRecord;
};

/** Calls of the bench thread. */
export type RecordingRpc = {
  /** The thread is loaded. */
  ready(): void;
  progress(record: RecordingRecord): void;
  /** Nothing more is recorded; the thread is done. */
  ended(record: RecordingRecord): void;
};
