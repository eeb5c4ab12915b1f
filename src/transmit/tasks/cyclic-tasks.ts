import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { Frame } from '../../frame/frame.ts';
import { ChannelTasks } from './channel-tasks.ts';
import { CyclicTask } from './cyclic-task.ts';
import type { CyclicPlan } from './tx-task-request.ts';

/** A frame to be sent periodically. */
export interface CyclicFrame {
  readonly frame: Frame;
  readonly plan: CyclicPlan;
  /** Of the random numbers that a pattern may need. */
  readonly seed: number;
}

/** Cyclic tasks that began together, in the order of their frames. */
export interface CyclicRun {
  readonly tasks: readonly CyclicTask[];
  /** Ends all of them. */
  stop(): void;
}

/**
 * All cyclic tasks that run on the bench thread, tx tasks and simulations alike: those of one channel share a timer,
 * so that frames go in the order in which they are due.
 */
export class CyclicTasks {
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly #byChannel = new WeakMap<Channel, ChannelTasks>();

  constructor(clock: Clock, scheduler: Scheduler) {
    this.#clock = clock;
    this.#scheduler = scheduler;
  }

  /** Begins to send frames on a channel now, each on a lane of its own. */
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
