import { RequestRoom } from './request-room.ts';
import type { RequestTask } from './request-task.ts';

/** The tasks of an instance that processors feed, by number, and the room that they share. */
export class RequestTasks {
  readonly room = new RequestRoom();
  readonly #tasks = new Map<number, RequestTask>();

  add(task: RequestTask): void {
    this.#tasks.set(task.number, task);
  }

  get(number: number): RequestTask | undefined {
    return this.#tasks.get(number);
  }
}
