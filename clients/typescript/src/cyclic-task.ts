import type { Operations, TxTask } from './schema.ts';
import { type SignalValues, signalTexts } from './signal-values.ts';

type Changes = Omit<Operations['tx-task.set']['input'], 'task_id' | 'signals'>;

/** Requests of a task. */
export interface TaskCalls {
  set(changes: Operations['tx-task.set']['input']): Promise<TxTask>;
  remove(taskId: string): Promise<TxTask>;
}

/** Cyclic message that can be changed while it runs. */
export class CyclicTask {
  readonly #calls: TaskCalls;
  #record: TxTask;

  constructor(calls: TaskCalls, record: TxTask) {
    this.#calls = calls;
    this.#record = record;
  }

  get id(): string {
    return this.#record.task_id;
  }

  /** Record from the last change of the task. */
  get record(): TxTask {
    return this.#record;
  }

  /** Changes the next frame: all signals together. Other signals keep their values. */
  async set(signals: SignalValues, changes: Changes = {}): Promise<TxTask> {
    const values = signalTexts(signals);
    const named = Object.keys(values).length === 0 ? {} : { signals: values };
    this.#record = await this.#calls.set({ ...changes, ...named, task_id: this.id });
    return this.#record;
  }

  /** Removes the task and returns its final counters. */
  async remove(): Promise<TxTask> {
    this.#record = await this.#calls.remove(this.id);
    return this.#record;
  }
}
