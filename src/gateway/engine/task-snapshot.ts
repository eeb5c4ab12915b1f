import { generateRefresh, type Refresh, type SentBinding } from './generated/generate-refresh.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import { type MuxMember, takesPart } from './mux.ts';

/** What is part of a snapshot: a binding, or the validity bit of one. */
export interface SnapshotMember extends MuxMember {
  readonly signal: number;
  readonly isValid: boolean;
  /** Where it lies in a frame and in shared memory; null where it is not in a frame. */
  readonly sent: SentBinding | null;
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
export class TaskSnapshot implements HotPart {
  /** As it was when it was looked at last: the words that begin with the frame. */
  readonly now: Int32Array;
  /** The bytes of the frame in it. */
  readonly frame: Uint8Array;
  readonly #bindings: readonly SnapshotMember[];
  readonly #fill: number;
  readonly #length: number;
  /** What is being put together, byte by byte; the others are compared and copied by words. */
  readonly #bytes: Uint8Array;
  readonly #work: Int32Array;
  readonly #sent: Int32Array;
  #hasSent = false;
  readonly #refused: Int32Array;
  /** Something was refused, and nothing has come of anything since. */
  hasRefused = false;
  /** It is not what was sent last. Kept, as it is asked for more often than it changes. */
  isNew = true;
  /** Nothing has come of it yet. */
  #isOpen = false;
  readonly #runs: RunCounter;
  /** Looks at the bindings once that was done often. */
  #quick: Refresh | null = null;

  constructor(bindings: readonly SnapshotMember[], length: number, fill: number, hot: HotParts) {
    this.#runs = hot.counterOf(this);
    this.#bindings = bindings;
    this.#length = length;
    this.#fill = fill;
    const words = Math.ceil((length + bindings.length) / Int32Array.BYTES_PER_ELEMENT);
    this.#work = new Int32Array(words);
    this.#bytes = new Uint8Array(this.#work.buffer);
    this.now = new Int32Array(words);
    this.frame = new Uint8Array(this.now.buffer, 0, length);
    this.#sent = new Int32Array(words);
    this.#refused = new Int32Array(words);
  }

  reset(): void {
    this.#hasSent = false;
    this.isNew = true;
    this.hasRefused = false;
    this.#isOpen = false;
    this.#take();
    copy(this.#work, this.now);
  }

  generate(): void {
    const sent = this.#bindings.flatMap((binding) => binding.sent ?? []);
    if (sent.length < this.#bindings.length) return;
    this.#quick = generateRefresh(sent, this.now, this.#length, this.#fill);
  }

  /** Looks at the bindings again. `replaced` if nothing has come of the one before. */
  refresh(): 'same' | 'changed' | 'replaced' {
    const quick = this.#quick;
    const isChanged = quick === null ? this.#look() : quick();
    if (!isChanged) return 'same';
    this.isNew = !this.#hasSent || !isEqual(this.now, this.#sent);
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
    this.hasRefused = false;
    copy(this.now, this.#sent);
    this.#hasSent = true;
    this.isNew = false;
  }

  /** What was sent last did not arrive, and has to be sent again. */
  forget(): void {
    this.#hasSent = false;
    this.isNew = true;
  }

  /** It was not accepted. */
  refuse(): void {
    this.#hasSent = false;
    this.isNew = true;
    copy(this.now, this.#refused);
    this.hasRefused = true;
  }

  /** Where something was refused: it is the same, tried again. */
  get isRetry(): boolean {
    return isEqual(this.now, this.#refused);
  }

  #look(): boolean {
    this.#runs.count();
    this.#take();
    if (isEqual(this.#work, this.now)) return false;
    copy(this.#work, this.now);
    return true;
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
