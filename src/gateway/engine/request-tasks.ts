import { RequestRoom } from './request-room.ts';
import type { RequestTask } from './request-task.ts';

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
