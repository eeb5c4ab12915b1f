import { type ReadonlySignal, signal } from '@preact/signals';

/** A trouble code of one ECU. Another ECU can have the same. */
export interface PickedDtc {
  readonly ecu: string;
  readonly dtc: string;
}

export interface DtcRecords<Answer> extends PickedDtc {
  readonly snapshot: Answer;
  readonly extended: Answer;
}

type ReadRecords<Answer> = (
  ecu: string,
  asked: { readonly snapshot: string } | { readonly extended: string },
) => Promise<Answer>;

/**
 * Reads snapshot and extended data of the trouble code that is picked, one code at a time. If
 * another one is picked meanwhile, it is read next, from its own ECU, also if the first read fails.
 */
export class DtcReader<Answer> {
  readonly #read: ReadRecords<Answer>;
  readonly #picked = signal<PickedDtc | null>(null);
  readonly #records = signal<DtcRecords<Answer> | null>(null);

  constructor(read: ReadRecords<Answer>) {
    this.#read = read;
  }

  get records(): ReadonlySignal<DtcRecords<Answer> | null> {
    return this.#records;
  }

  isPicked({ ecu, dtc }: PickedDtc): boolean {
    const picked = this.#picked.value;
    return picked?.ecu === ecu && picked.dtc === dtc;
  }

  /** Picks a code, or none if it is the picked one. */
  pick(dtc: PickedDtc): void {
    this.#picked.value = this.isPicked(dtc) ? null : dtc;
  }

  clear(): void {
    this.#picked.value = null;
  }

  async readPicked(): Promise<void> {
    this.#records.value = null;
    for (let asked = this.#picked.peek(); asked !== null; ) {
      try {
        const records = await this.#recordsOf(asked);
        if (this.#picked.peek() === asked) this.#records.value = records;
      } catch (thrown) {
        if (this.#picked.peek() === asked) throw thrown;
      }
      const picked = this.#picked.peek();
      asked = picked === asked ? null : picked;
    }
  }

  async #recordsOf({ ecu, dtc }: PickedDtc): Promise<DtcRecords<Answer>> {
    const snapshot = await this.#read(ecu, { snapshot: dtc });
    return { ecu, dtc, snapshot, extended: await this.#read(ecu, { extended: dtc }) };
  }
}
