import { type ReadonlySignal, signal } from '@preact/signals';

/** A value as the ECU reported it, or why there is none. */
export interface Reading {
  readonly did: string;
  readonly name: string | null;
  readonly data: string;
  readonly value: string | null;
  readonly quality: string;
  readonly label: string | null;
}

export interface Known {
  /** The latest reading; kept while a later request fails. */
  readonly reading: Reading | null;
  readonly readAtMs: number | null;
  /** Why the latest request failed. */
  readonly problem: string | null;
}

export const keyOf = (ecu: string, did: string): string => `${ecu} ${did}`;

interface Wanted {
  readonly ecu: string;
  readonly did: string;
}

interface Ports {
  /** Throws an error with the reason as its message. */
  readonly read: (ecu: string, did: string) => Promise<Reading>;
  readonly now: () => number;
}

/**
 * Reads identifiers of ECUs, one request at a time, so that a page with many of them does not
 * fill the queue of a link.
 */
export class IdentifierReader {
  readonly #ports: Ports;
  readonly #known = signal<ReadonlyMap<string, Known>>(new Map());
  readonly #waiting = signal<readonly Wanted[]>([]);
  readonly #isBusy = signal(false);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get known(): ReadonlySignal<ReadonlyMap<string, Known>> {
    return this.#known;
  }

  get isBusy(): ReadonlySignal<boolean> {
    return this.#isBusy;
  }

  /** Reads each identifier once; one that already waits is not read twice. */
  async read(ecu: string, dids: readonly string[]): Promise<void> {
    const waiting = this.#waiting.peek();
    const isWaiting = (did: string): boolean =>
      waiting.some((wanted) => wanted.ecu === ecu && wanted.did === did);
    const added = dids.filter((did) => !isWaiting(did)).map((did) => ({ ecu, did }));
    this.#waiting.value = [...waiting, ...added];
    await this.#readAll();
  }

  /** Reads again what is shown live, unless a slow ECU still owes the values before. */
  async poll(ecu: string, dids: readonly string[]): Promise<void> {
    if (!this.#isBusy.peek()) await this.read(ecu, dids);
  }

  /** Drops what has not been requested yet. */
  cancel(): void {
    this.#waiting.value = [];
  }

  async #readAll(): Promise<void> {
    if (this.#isBusy.peek()) return;
    this.#isBusy.value = true;
    for (let [next] = this.#waiting.peek(); next; [next] = this.#waiting.peek()) {
      await this.#readOne(next);
      this.#waiting.value = this.#waiting.peek().filter((wanted) => wanted !== next);
    }
    this.#isBusy.value = false;
  }

  async #readOne({ ecu, did }: Wanted): Promise<void> {
    const key = keyOf(ecu, did);
    let known: Known;
    try {
      const reading = await this.#ports.read(ecu, did);
      known = { reading, readAtMs: this.#ports.now(), problem: null };
    } catch (thrown) {
      const before = this.#known.peek().get(key);
      const { reading = null, readAtMs = null } = before ?? {};
      known = { reading, readAtMs, problem: (thrown as Error).message };
    }
    this.#known.value = new Map(this.#known.peek()).set(key, known);
  }
}
