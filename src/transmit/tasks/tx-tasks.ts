import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FrameListener } from '../../bench/bench-sink.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import type { OffloadedCyclic } from '../../drivers/can-offload.ts';
import type { LinControl, PortControl } from '../../drivers/driver-channel.ts';
import { type Frame, frameFlags } from '../../frame/frame.ts';
import { frm2Id } from '../../frame/frm2-codec.ts';
import { lastErrorOf } from '../last-error.ts';
import { cannotOffload, mayOffload } from '../offload-request.ts';
import { checkInService } from '../selected-channel.ts';
import { sendFailure } from '../send-failures.ts';
import type { CyclicTasks } from './cyclic-tasks.ts';
import type { TaskProgress, TaskWork } from './task-work.ts';
import { TxTask } from './tx-task.ts';
import type { TxTaskRecord } from './tx-task-record.ts';
import {
  type CyclicSettings,
  checkResponse,
  cyclicPlan,
  respondingChannel,
  type TxTaskRequest,
  taskFrame,
} from './tx-task-request.ts';

class OffloadedTask implements TaskWork {
  readonly #job: OffloadedCyclic;

  constructor(job: OffloadedCyclic) {
    this.#job = job;
  }

  progress(): TaskProgress {
    const { isFinished, sent, failed, lastRefusal } = this.#job;
    return {
      state: isFinished ? 'finished' : 'running',
      offloaded: true,
      sent,
      failed,
      // A device that does not report failures does not report missed times either.
      missed: failed === null ? null : 0,
      lateness_us: null,
      last_error: lastErrorOf(lastRefusal),
    };
  }

  stop(): void {
    this.#job.stop();
  }
}

interface RespondingChannel {
  readonly hardware: LinControl;
  onSent(listener: FrameListener): () => void;
}

class ResponseTask implements TaskWork {
  readonly #hardware: LinControl;
  readonly #frame: Frame;
  readonly #stopCounting: () => void;
  #sent = 0;

  constructor(channel: RespondingChannel, frame: Frame) {
    this.#hardware = channel.hardware;
    this.#frame = frame;
    this.#stopCounting = channel.onSent((record, at) => {
      if (frm2Id(record, at) === frame.id) this.#sent += 1;
    });
    this.restore();
  }

  restore(): void {
    const { id, data } = this.#frame;
    this.#hardware.setResponse(id, frameFlags(this.#frame), data, 0, data.length);
  }

  progress(): TaskProgress {
    return {
      state: 'running',
      offloaded: true,
      // A master's own frames look the same as its response.
      sent: this.#hardware.settings.lin?.role === 'master' ? null : this.#sent,
      failed: 0,
      missed: 0,
      lateness_us: null,
      last_error: null,
    };
  }

  stop(): void {
    this.#stopCounting();
    this.#hardware.clearResponse(this.#frame.id);
  }
}

const startedJob = (
  frame: Frame,
  { pattern, periodUs, count }: CyclicSettings,
  hardware: PortControl,
): OffloadedCyclic | undefined => {
  if (hardware.bus === 'lin' || pattern !== 'fixed') return undefined;
  const { id, dlc, data } = frame;
  const flags = frameFlags(frame);
  return hardware.offload?.startCyclic({ id, flags, dlc, data, periodUs, count });
};

const offloadedTask = (
  frame: Frame,
  plan: CyclicSettings,
  hardware: PortControl,
): TaskWork | undefined => {
  const offload = hardware.bus === 'lin' ? undefined : hardware.offload;
  if (!mayOffload(plan.offload, offload)) return undefined;
  const job = startedJob(frame, plan, hardware);
  if (!job && plan.offload) throw cannotOffload('send these frames');
  return job && new OffloadedTask(job);
};

const responseTask = (channel: RespondingChannel, frame: Frame): TaskWork =>
  new ResponseTask(channel, frame);

export interface TxTasksOptions {
  readonly clock: Clock;
  readonly cyclic: CyclicTasks;
  readonly channels: Pick<ChannelTable, 'use'>;
  readonly capacity: number;
}

/** Cyclic frames and LIN responses, each until removed or its channel closes. */
export class TxTasks {
  readonly #options: TxTasksOptions;
  readonly #tasks = new Map<string, TxTask>();
  #added = 0;

  constructor(options: TxTasksOptions) {
    this.#options = options;
  }

  async add(request: TxTaskRequest, bench: BenchSource): Promise<TxTaskRecord> {
    const found = await this.#options.channels.use(request.channel, bench);
    try {
      return this.#start(found, request).record();
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  list(): TxTaskRecord[] {
    return [...this.#tasks.values()].map((task) => task.record());
  }

  remove(taskId: string): TxTaskRecord {
    const task = this.#tasks.get(taskId);
    if (!task) {
      throw new BusbarError('task_not_found', {
        message: `No such transmit task: ${taskId}`,
        details: { task_id: taskId },
      });
    }
    this.#end(task);
    return task.record();
  }

  /** Called after a replay that can have replaced responses on this channel. */
  restoreResponses(slot: number): void {
    for (const task of this.#tasks.values()) if (task.slot === slot) task.restore();
  }

  #start(found: FoundChannel, request: TxTaskRequest): TxTask {
    const { channel } = found;
    const { hardware } = channel;
    checkInService(found);
    const responding = respondingChannel(request, hardware);
    const frame = taskFrame(request, hardware);
    if (responding) {
      this.#checkNewResponse(request, channel, frame);
      return this.#list(found, frame, undefined, () =>
        responseTask(
          { hardware: responding, onSent: (reported) => channel.onSent(reported) },
          frame,
        ),
      );
    }
    const plan = cyclicPlan(request, frame, hardware);
    return this.#list(
      found,
      frame,
      plan,
      (seed) =>
        offloadedTask(frame, plan, hardware) ??
        this.#options.cyclic.start(channel, { frame, plan, seed }),
    );
  }

  #list(
    found: FoundChannel,
    frame: Frame,
    plan: CyclicSettings | undefined,
    begin: (number: number) => TaskWork,
  ): TxTask {
    this.#checkCapacity();
    const number = this.#added + 1;
    const work = begin(number);
    this.#added = number;
    const createdAtUs = this.#options.clock.unixUs();
    const task = new TxTask({ id: `task-${number}`, found, frame, plan, work, createdAtUs });
    this.#tasks.set(task.id, task);
    task.onClosed(() => this.#end(task));
    return task;
  }

  #end(task: TxTask): void {
    this.#tasks.delete(task.id);
    task.stop();
  }

  #checkNewResponse(request: TxTaskRequest, { slot }: Channel, { id }: Frame): void {
    checkResponse(request);
    for (const task of this.#tasks.values()) {
      if (!task.isResponse || task.slot !== slot || task.frame.id !== id) continue;
      throw new BusbarError('already_exists', {
        message: `Task ${task.id} already responds to identifier ${id}`,
        details: { field: 'id', id, task_id: task.id },
      });
    }
  }

  #checkCapacity(): void {
    const { capacity } = this.#options;
    if (this.#tasks.size < capacity) return;
    throw new BusbarError('capacity_exceeded', {
      message: `At most ${capacity} transmit tasks can exist`,
      details: { limit: capacity },
    });
  }
}
