import type { Port } from '../../base/threads/rpc-port.ts';
import type { Thread } from '../../base/threads/thread.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import type { RecorderChannel } from '../recorder.ts';
import type { RecorderStatus } from '../recording-record.ts';
import type { RecordingRequest } from '../recording-request.ts';

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
  begin(request: RecordingRequest): RecorderStatus;
  channelOpening(entry: RecorderChannel): void;
  channelClosed(slot: number): void;
  record(): RecorderStatus;
  consumersOf(slot: number): readonly Consumer[];
  finish(): RecorderStatus;
  /** Resolves when the thread can be stopped without interrupting the compression of a file. */
  settled(): Promise<void>;
};

export type RecordingRpc = {
  ready(): void;
  progress(record: RecorderStatus): void;
  ended(record: RecorderStatus): void;
};
