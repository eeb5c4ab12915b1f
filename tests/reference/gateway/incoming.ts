import type { ResourceRow } from './project.ts';
import type { Observed } from './register-inputs.ts';
import { addressesOf } from './registers.ts';
import type { Read } from './requests.ts';
import type { ScriptEvent } from './script.ts';

/** Resources read or written together. */
interface Observation {
  readonly kind: 'observation';
  readonly atUs: number;
  /** The answered read; undefined if a client wrote. */
  readonly read: Read | undefined;
  readonly observed: Observed;
}

/** A unit rejected a read. */
interface Refusal {
  readonly kind: 'refusal';
  readonly resources: readonly ResourceRow[];
}

export type Incoming = ScriptEvent | Observation | Refusal;

/** Inputs since the last round, in order of arrival. */
export class IncomingQueue {
  /** Modbus observations replaced by newer ones. */
  coalesced = 0;
  #waiting: Incoming[] = [];

  add(incoming: ScriptEvent | Refusal): void {
    this.#waiting.push(incoming);
  }

  /** The latest response to a read counts. */
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

  /** The last write to an item counts; the rest of an earlier write remains. */
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
