import { type MuxMember, takesPart } from './mux.ts';

/** What is part of a snapshot: a binding, or the validity bit of one. */
export interface SnapshotMember extends MuxMember {
  readonly signal: number;
  readonly isValid: boolean;
  write(bytes: Uint8Array): void;
}

const isEqual = (one: Int32Array, other: Int32Array): boolean => {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
};

/** Of a few words each, for which a call costs more than the copy. */
const copy = (from: Int32Array, to: Int32Array): void => {
  for (let index = 0; index < from.length; index++) to[index] = from[index] as number;
};

/** States of a binding in a snapshot. */
const active = 1;
const valid = 2;

/**
 * What a task would send: the business bits of its frame, and for each binding whether it is part of the frame and
 * valid. Snapshots are compared whole; counters, checksums and times are not in them.
 *
 *     | bytes of the frame | one byte for each binding |
 */
export class TaskSnapshot {
  /** As it was when it was looked at last. */
  readonly business: Uint8Array;
  readonly #bindings: readonly SnapshotMember[];
  readonly #fill: number;
  readonly #length: number;
  /** What is being put together, byte by byte; the others are compared and copied by words. */
  readonly #bytes: Uint8Array;
  readonly #work: Int32Array;
  readonly #now: Int32Array;
  readonly #sent: Int32Array;
  #hasSent = false;
  readonly #refused: Int32Array;
  #hasRefused = false;
  /** Nothing has come of it yet. */
  #isOpen = false;

  constructor(bindings: readonly SnapshotMember[], length: number, fill: number) {
    this.#bindings = bindings;
    this.#length = length;
    this.#fill = fill;
    const words = Math.ceil((length + bindings.length) / Int32Array.BYTES_PER_ELEMENT);
    this.#work = new Int32Array(words);
    this.#bytes = new Uint8Array(this.#work.buffer);
    this.#now = new Int32Array(words);
    this.#sent = new Int32Array(words);
    this.#refused = new Int32Array(words);
    this.business = new Uint8Array(this.#now.buffer, 0, length);
  }

  reset(): void {
    this.#hasSent = false;
    this.#hasRefused = false;
    this.#isOpen = false;
    this.#take();
    copy(this.#work, this.#now);
  }

  /** Looks at the bindings again. `replaced` if nothing has come of the one before. */
  refresh(): 'same' | 'changed' | 'replaced' {
    this.#take();
    if (isEqual(this.#work, this.#now)) return 'same';
    copy(this.#work, this.#now);
    const isReplaced = this.#isOpen;
    this.#isOpen = true;
    return isReplaced ? 'replaced' : 'changed';
  }

  /** It could be sent from now on, and counts if it is replaced before. */
  open(): void {
    this.#isOpen = true;
  }

  /** Something came of it: it was accepted, or a fault took its place. */
  settle(): void {
    this.#isOpen = false;
    this.#hasRefused = false;
    copy(this.#now, this.#sent);
    this.#hasSent = true;
  }

  /** What was sent last did not arrive, and has to be sent again. */
  forget(): void {
    this.#hasSent = false;
  }

  /** It was not accepted. */
  refuse(): void {
    this.#hasSent = false;
    copy(this.#now, this.#refused);
    this.#hasRefused = true;
  }

  /** It is what was refused last, tried again. */
  get isRetry(): boolean {
    return this.#hasRefused && isEqual(this.#now, this.#refused);
  }

  get isNew(): boolean {
    return !this.#hasSent || !isEqual(this.#now, this.#sent);
  }

  #take(): void {
    const work = this.#bytes;
    for (let index = 0; index < this.#length; index++) work[index] = this.#fill;
    const bindings = this.#bindings;
    for (let index = 0; index < bindings.length; index++) {
      const binding = bindings[index] as SnapshotMember;
      binding.isActive = takesPart(binding);
      if (binding.isActive) binding.write(work);
      work[this.#length + index] = binding.isActive ? active | (binding.isValid ? valid : 0) : 0;
    }
  }
}
