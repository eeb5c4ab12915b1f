import type { Port } from '../../base/threads/call-port.ts';
import type { Thread } from '../../base/threads/thread.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { RecorderChannel, RecordingRequest } from '../recorder.ts';
import type { RecordingRecord } from '../recording-record.ts';

/** A thread that records: as much of a Worker as it takes. */
export type RecorderThread = Port & Thread;

/** What a recorder is to record. */
export interface RecorderStart {
  readonly projectRoot: string;
  readonly unixOffsetUs: number;
  readonly broker: {
    readonly memory: SharedArrayBuffer;
    /** Number of this thread among the readers. */
    readonly reader: number;
    /** The channels that are open when the thread starts. */
    readonly channels: readonly RecorderChannel[];
  };
}

/** What a recorder does for the bench thread. */
export type RecorderOffer = {
  /** Opens the file; what is published from then on is recorded. */
  begin(request: RecordingRequest): RecordingRecord;
  channelOpening(entry: RecorderChannel): void;
  /** Releases a channel that has ended; its memory may be used again afterwards. */
  channelClosed(slot: number): void;
  record(): RecordingRecord;
  consumersOf(slot: number): readonly Consumer[];
  /** Completes the file with what was published until now. */
  finish(): RecordingRecord;
};

/** What the bench thread does for a recorder. */
export type RecordingOffer = {
  /** The thread is loaded, and does from now on what it was asked for. */
  ready(): void;
  /** How far it is, every now and then. */
  progress(record: RecordingRecord): void;
  /** Nothing more is recorded; the thread has nothing left to do. */
  ended(record: RecordingRecord): void;
};
