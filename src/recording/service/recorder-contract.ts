import type { Port } from '../../base/threads/rpc-port.ts';
import type { Thread } from '../../base/threads/thread.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { RecorderChannel, RecordingRequest } from '../recorder.ts';
import type { RecordingRecord } from '../recording-record.ts';

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

export type RecorderRpc = {
  begin(request: RecordingRequest): RecordingRecord;
  channelOpening(entry: RecorderChannel): void;
  channelClosed(slot: number): void;
  record(): RecordingRecord;
  consumersOf(slot: number): readonly Consumer[];
  finish(): RecordingRecord;
};

export type RecordingRpc = {
  ready(): void;
  progress(record: RecordingRecord): void;
  ended(record: RecordingRecord): void;
};
