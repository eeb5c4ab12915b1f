import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import type { Frame } from '../../frame/frame.ts';
import { checkInService } from '../selected-channel.ts';
import { sendFailure } from '../send-failures.ts';
import type { CyclicTask } from './cyclic-task.ts';
import type { CyclicTasks } from './cyclic-tasks.ts';
import { offloadedTask, responseTask } from './device-work.ts';
import type { TaskWork } from './task-work.ts';
import { TxTask } from './tx-task.ts';
import type { TxTaskRecord } from './tx-task-record.ts';
import {
  type CyclicPlan,
  checkResponse,
  cyclicPlan,
  respondingChannel,
  type TxTaskRequest,
  taskFrame,
} from './tx-task-request.ts';

export interface TxTasksOptions {
  readonly clock: Clock;
  readonly cyclic: CyclicTasks;
  readonly channels: Pick<ChannelTable, 'use'>;
  /** Tasks that there can be, finished ones included. */
  readonly capacity: number;
}

/** Frames that are sent again and again, and LIN responses: each until it is removed, or its channel closed. */
export class TxTasks {
  readonly #options: TxTasksOptions;
  readonly #tasks = new Map<string, TxTask>();
  #added = 0;

  constructor(options: TxTasksOptions) {
    this.#options = options;
  }

  /** Begins at once. A task that is refused leaves nothing behind. */
  async add(request: TxTaskRequest, bench: BenchSource): Promise<TxTaskRecord> {
    const found = await this.#options.channels.use(request.channel, bench);
    try {
      return this.#start(found, request).record();
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  /** In the order in which they were added. */
  list(): TxTaskRecord[] {
    return [...this.#tasks.values()].map((task) => task.record());
  }

  /** Ends a task and answers what it came to. */
  remove(taskId: string): TxTaskRecord {
    const task = this.#tasks.get(taskId);
    if (!task) {
      throw new BusbarError('task_not_found', {
        message: `There is no transmit task ${taskId}`,
        details: { task_id: taskId },
      });
    }
    this.#end(task);
    return task.record();
  }

  /** A replay is over that may have given other responses on that channel. */
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
        responseTask({ hardware: responding, onSent: (told) => channel.onSent(told) }, frame),
      );
    }
    const plan = cyclicPlan(request, frame, hardware);
    return this.#list(
      found,
      frame,
      plan,
      (seed) => offloadedTask(frame, plan, hardware) ?? this.#lineUp(channel, frame, plan, seed),
    );
  }

  /** Begins the work of a task, if there may be another one. */
  #list(
    found: FoundChannel,
    frame: Frame,
    plan: CyclicPlan | undefined,
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

  #lineUp(channel: Channel, frame: Frame, plan: CyclicPlan, seed: number): TaskWork {
    const run = this.#options.cyclic.start(channel, [{ frame, plan, seed }]);
    const [task] = run.tasks as [CyclicTask];
    return { progress: () => task.progress(), stop: () => run.stop() };
  }

  #checkNewResponse(request: TxTaskRequest, { slot }: Channel, { id }: Frame): void {
    checkResponse(request);
    for (const task of this.#tasks.values()) {
      if (!task.isResponse || task.slot !== slot || task.frame.id !== id) continue;
      throw new BusbarError('already_exists', {
        message: `Task ${task.id} responds to identifier ${id} already`,
        details: { field: 'id', id, task_id: task.id },
      });
    }
  }

  #checkCapacity(): void {
    const { capacity } = this.#options;
    if (this.#tasks.size < capacity) return;
    throw new BusbarError('capacity_exceeded', {
      message: `At most ${capacity} transmit tasks can be there`,
      details: { limit: capacity },
    });
  }
}
