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
 * another one is picked meanwhile, it is read next, from its own ECU.
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
      const { ecu, dtc } = asked;
      const snapshot = await this.#read(ecu, { snapshot: dtc });
      const extended = await this.#read(ecu, { extended: dtc });
      const picked = this.#picked.peek();
      if (picked === asked) {
        this.#records.value = { ecu, dtc, snapshot, extended };
        return;
      }
      asked = picked;
    }
  }
}
