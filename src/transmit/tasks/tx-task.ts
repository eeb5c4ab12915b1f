import type { FoundChannel } from '../../bench/channel-table.ts';
import type { Frame } from '../../frame/frame.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import { selectedChannel } from '../selected-channel.ts';
import type { TaskSource } from './task-source.ts';
import type { TaskWork } from './task-work.ts';
import type { TxTaskRecord } from './tx-task-record.ts';
import type { CyclicSettings } from './tx-task-request.ts';

type TxTaskFrame = Pick<
  TxTaskRecord,
  'type' | 'id' | 'extended' | 'fd' | 'brs' | 'esi' | 'dlc' | 'data' | 'checksum'
>;

const frameRecord = (frame: Frame, isResponse: boolean): TxTaskFrame => {
  const { id, dlc } = frame;
  const data = formatHex(frame.data);
  if (frame.bus === 'lin') {
    const { checksum } = frame;
    const type = isResponse ? null : 'master-write';
    return { type, id, extended: false, fd: false, brs: false, esi: false, dlc, data, checksum };
  }
  const { extended, fd, brs, esi } = frame;
  const type = frame.remote ? 'remote' : 'data';
  return { type, id, extended, fd, brs, esi, dlc, data, checksum: null };
};

export interface TxTaskParts {
  readonly id: string;
  readonly found: FoundChannel;
  readonly frame: Frame;
  readonly plan: CyclicSettings | undefined;
  readonly work: TaskWork;
  readonly source: TaskSource | undefined;
  readonly createdAtUs: number;
}

export class TxTask {
  readonly id: string;
  readonly slot: number;
  readonly frame: Frame;
  readonly isResponse: boolean;
  readonly work: TaskWork;
  source: TaskSource | undefined;
  #data: Uint8Array;
  readonly #parts: TxTaskParts;
  #stopListening: (() => void) | undefined;

  constructor(parts: TxTaskParts) {
    this.id = parts.id;
    this.slot = parts.found.channel.slot;
    this.frame = parts.frame;
    this.isResponse = parts.plan === undefined;
    this.#parts = parts;
    this.work = parts.work;
    this.source = parts.source;
    this.#data = parts.frame.data;
  }

  /** Calls `end` when the channel closes, unless the task has ended. */
  onClosed(end: () => void): void {
    this.#stopListening = this.#parts.found.channel.onInterrupted((why) => {
      if (why === 'closed') end();
    });
  }

  stop(): void {
    this.#stopListening?.();
    this.#parts.work.stop();
  }

  /** Payload of a task by frame, as given last. */
  set data(data: Uint8Array) {
    this.#data = data;
  }

  restore(): void {
    this.#parts.work.restore?.();
  }

  record(): TxTaskRecord {
    const { id, found, frame, plan, work, createdAtUs } = this.#parts;
    const { source } = this;
    const sent = source ? work.data : undefined;
    return {
      task_id: id,
      kind: plan ? 'cyclic' : 'lin_response',
      ...selectedChannel(found),
      ...frameRecord(frame, this.isResponse),
      data: formatHex(sent ?? this.#data),
      message: source?.message.name ?? null,
      database: source?.database ?? null,
      signals: null,
      period_us: plan ? (work.periodUs ?? plan.periodUs) : null,
      count: plan?.count ?? 0,
      pattern: plan?.pattern ?? 'fixed',
      ...work.progress(),
      created_at_us: createdAtUs,
    };
  }
}
