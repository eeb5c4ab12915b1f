import { cursorExpired } from '../../base/errors/busbar-error.ts';
import type { Bounds } from '../../base/subscription.ts';
import type { KnownDids } from '../../diagnostics/words.ts';
import { isLong } from '../long-pdu.ts';
import type { Pdu } from '../pdu.ts';

export interface StoredPdu {
  readonly sequence: number;
  /** Selector and name are kept, because the channel can be closed. */
  readonly selector: string;
  readonly name: string | null;
  readonly pdu: Pdu;
  /** Data identifiers of the ECU. */
  readonly dids?: KnownDids | undefined;
}

export const storeLimits = { pdus: 4096, bytes: 16 * 1024 * 1024 } as const;

/** Approximate memory of a PDU without its payload. */
const pduBytes = 512;

const bytesOf = ({ payload }: Pdu): number => payload.length + pduBytes;

/** The newest PDUs, limited in number and memory. Sequences count from 1 without holes. */
export class PduStore {
  readonly #maxPdus: number;
  readonly #maxBytes: number;
  #pdus: (StoredPdu | undefined)[] = [];
  /** Long PDUs by their last event. */
  readonly #byLastEvent = new Map<number, StoredPdu>();
  /** Entries at the start of the list that were dropped. */
  #dropped = 0;
  #next = 1;
  #bytes = 0;

  constructor({ pdus, bytes }: { readonly pdus: number; readonly bytes: number } = storeLimits) {
    this.#maxPdus = pdus;
    this.#maxBytes = bytes;
  }

  add(pdu: Pdu, selector: string, name: string | null = null, dids?: KnownDids): StoredPdu {
    const stored = { sequence: this.#next++, selector, name, pdu, dids };
    this.#pdus.push(stored);
    this.#bytes += bytesOf(pdu);
    if (isLong(pdu)) this.#byLastEvent.set(pdu.lastEventId, stored);
    while (this.size > this.#maxPdus || (this.#bytes > this.#maxBytes && this.size > 1)) {
      const oldest = this.#pdus[this.#dropped] as StoredPdu;
      const { lastEventId } = oldest.pdu;
      this.#bytes -= bytesOf(oldest.pdu);
      if (this.endingWith(lastEventId) === oldest) this.#byLastEvent.delete(lastEventId);
      this.#pdus[this.#dropped] = undefined;
      this.#dropped += 1;
    }
    if (this.#dropped > this.#maxPdus) {
      this.#pdus = this.#pdus.slice(this.#dropped);
      this.#dropped = 0;
    }
    return stored;
  }

  get size(): number {
    return this.#pdus.length - this.#dropped;
  }

  get newest(): number {
    return this.#next - 1;
  }

  get bounds(): Bounds {
    return { oldestAvailable: this.#next - this.size, newestAvailable: this.newest };
  }

  /** Whether PDUs after a sequence were dropped, or the sequence is of another run. */
  isExpired(after: number): boolean {
    if (after === 0) return false;
    const { oldestAvailable, newestAvailable } = this.bounds;
    return after > newestAvailable || after < oldestAvailable - 1;
  }

  check(after: number): void {
    if (this.isExpired(after)) throw cursorExpired('PDU', after, this.bounds);
  }

  get(sequence: number): StoredPdu | undefined {
    return this.#pdus[this.#dropped + sequence - this.bounds.oldestAvailable];
  }

  endingWith(eventId: number): StoredPdu | undefined {
    return this.#byLastEvent.get(eventId);
  }

  /** PDUs after a sequence, oldest first. */
  *after(sequence: number): Generator<StoredPdu> {
    const { oldestAvailable, newestAvailable } = this.bounds;
    for (let at = Math.max(sequence + 1, oldestAvailable); at <= newestAvailable; at++) {
      const stored = this.get(at);
      if (stored) yield stored;
    }
  }
}
