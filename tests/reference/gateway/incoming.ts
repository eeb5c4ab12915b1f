import type { ResourceRow } from './project.ts';
import type { Observed } from './register-inputs.ts';
import { addressesOf } from './registers.ts';
import type { Read } from './requests.ts';
import type { ScriptEvent } from './script.ts';

/** Resources that were read or written together. */
interface Observation {
  readonly kind: 'observation';
  readonly atUs: number;
  /** The read that it answers; undefined if a client wrote. */
  readonly read: Read | undefined;
  readonly observed: Observed;
}

/** A unit refused a read. */
interface Refusal {
  readonly kind: 'refusal';
  readonly resources: readonly ResourceRow[];
}

export type Incoming = ScriptEvent | Observation | Refusal;

/** What came since the last round, in the order in which it came. */
export class IncomingQueue {
  /** Observations by Modbus that newer ones have replaced. */
  coalesced = 0;
  #waiting: Incoming[] = [];

  add(incoming: ScriptEvent | Refusal): void {
    this.#waiting.push(incoming);
  }

  /** The latest answer to a read is the one that counts. */
  addAnswer(read: Read, items: readonly number[], atUs: number): void {
    const others = this.#waiting.filter(
      (one) => !(one.kind === 'observation' && one.read === read),
    );
    this.coalesced += this.#waiting.length - others.length;
    const observed = new Map(
      read.resources.map((resource) => {
        const at = resource.address - read.address;
        return [resource.id, items.slice(at, at + addressesOf(resource))] as const;
      }),
    );
    this.#waiting = [...others, { kind: 'observation', atUs, read, observed }];
  }

  /** What is written twice counts as written last; the rest of an earlier write stays. */
  addWrite(observed: Observed, atUs: number): void {
    this.#waiting = this.#waiting.map((one) => {
      if (one.kind !== 'observation' || one.read !== undefined) return one;
      const rest = [...one.observed].filter(([id]) => !observed.has(id));
      this.coalesced += one.observed.size - rest.length;
      return { ...one, observed: new Map(rest) };
    });
    this.#waiting.push({ kind: 'observation', atUs, read: undefined, observed });
  }

  take(): readonly Incoming[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
