import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { Frame } from '../../frame/frame.ts';
import { ChannelTasks } from './channel-tasks.ts';
import { CyclicTask } from './cyclic-task.ts';
import type { CyclicPlan } from './tx-task-request.ts';

export interface CyclicFrame {
  readonly frame: Frame;
  readonly plan: CyclicPlan;
  readonly seed: number;
}

/** Cyclic tasks started together, in the order of their frames. */
export interface CyclicRun {
  readonly tasks: readonly CyclicTask[];
  stop(): void;
}

/**
 * All cyclic tasks of the bench thread. Those of one channel share a timer, so that frames
 * leave in due order.
 */
export class CyclicTasks {
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly #byChannel = new WeakMap<Channel, ChannelTasks>();

  constructor(clock: Clock, scheduler: Scheduler) {
    this.#clock = clock;
    this.#scheduler = scheduler;
  }

  /** Starts frames on a channel, each with its own lane. */
  start(channel: Channel, frames: readonly CyclicFrame[]): CyclicRun {
    const startUs = this.#clock.monotonicUs();
    const lanes = frames.map(() => channel.outbox.open({}, { isUrgent: true }));
    const tasks = lanes.map(
      (lane, place) => new CyclicTask({ ...(frames[place] as CyclicFrame), lane, startUs }),
    );
    const ofChannel = this.#tasksOf(channel);
    ofChannel.add(tasks);
    return {
      tasks,
      stop: () => {
        ofChannel.remove(tasks);
        for (const lane of lanes) lane.close();
      },
    };
  }

  #tasksOf(channel: Channel): ChannelTasks {
    const known = this.#byChannel.get(channel);
    if (known) return known;
    const tasks = new ChannelTasks(this.#clock, this.#scheduler);
    this.#byChannel.set(channel, tasks);
    return tasks;
  }
}
