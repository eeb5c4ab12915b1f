import { BusbarError } from '../../base/errors/busbar-error.ts';
import { callerGone } from '../../transmit/send-failures.ts';

const maxWaiting = 32;

interface Waiting {
  readonly go: () => void;
  readonly refuse: (error: BusbarError) => void;
}

const queueFull = (ecu: string): BusbarError =>
  new BusbarError('busy', {
    message: `${maxWaiting} requests already wait for ${ecu}`,
    details: { field: 'ecu', ecu, limit: maxWaiting },
  });

/** One caller at a time, in order. A caller that leaves while it waits is never served. */
export class RequestQueue {
  readonly #ecu: string;
  readonly #waiting: Waiting[] = [];
  #isTaken = false;

  constructor(ecu: string) {
    this.#ecu = ecu;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw callerGone();
    if (this.#isTaken) await this.#wait(signal);
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      // The turn passes to the next caller without becoming free in between.
      const next = this.#waiting.shift();
      if (next) next.go();
      else this.#isTaken = false;
    }
  }

  refuseWaiting(error: BusbarError): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(error);
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.length >= maxWaiting) return Promise.reject(queueFull(this.#ecu));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const place = this.#waiting.indexOf(entry);
        if (place >= 0) this.#waiting.splice(place, 1);
        reject(callerGone());
      };
      const entry: Waiting = {
        go: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      this.#waiting.push(entry);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
