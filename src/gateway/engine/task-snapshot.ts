import { generateRefresh, type Refresh, type SentBinding } from './generated/generate-refresh.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import { type MuxMember, takesPart } from './mux.ts';

/** A binding in a snapshot, or its validity bit. */
export interface SnapshotMember extends MuxMember {
  readonly signal: number;
  readonly isValid: boolean;
  /** Null if not in a frame. */
  readonly sent: SentBinding | null;
  write(bytes: Uint8Array): void;
}

const isEqual = (one: Int32Array, other: Int32Array): boolean => {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
};

/** For few words a loop is cheaper than a call. */
const copy = (from: Int32Array, to: Int32Array): void => {
  for (let index = 0; index < from.length; index++) to[index] = from[index] as number;
};

/** Binding states in a snapshot. */
const active = 1;
const valid = 2;

/**
 * What a task would send: the business bits of its frame, and for each binding whether it is part of the frame and
 * valid. Snapshots are compared whole; counters, checksums and times are not in them.
 *
 *     | bytes of the frame | one byte for each binding |
 */
export class TaskSnapshot implements HotPart {
  /** The current snapshot as words, starting with the frame. */
  readonly now: Int32Array;
  readonly frame: Uint8Array;
  readonly #bindings: readonly SnapshotMember[];
  readonly #fill: number;
  readonly #length: number;
  /** Being built, by bytes; the others are compared and copied by words. */
  readonly #bytes: Uint8Array;
  readonly #work: Int32Array;
  readonly #sent: Int32Array;
  #hasSent = false;
  readonly #refused: Int32Array;
  /** Refused, and nothing accepted since. */
  hasRefused = false;
  /** Differs from the last sent one. */
  isNew = true;
  #isOpen = false;
  readonly #runs: RunCounter;
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

  /** Reads the bindings. `replaced` if the previous snapshot was never sent. */
  refresh(): 'same' | 'changed' | 'replaced' {
    const quick = this.#quick;
    const isChanged = quick === null ? this.#look() : quick();
    if (!isChanged) return 'same';
    this.isNew = !this.#hasSent || !isEqual(this.now, this.#sent);
    const isReplaced = this.#isOpen;
    this.#isOpen = true;
    return isReplaced ? 'replaced' : 'changed';
  }

  /** It could be sent from now on, and counts if replaced before. */
  open(): void {
    this.#isOpen = true;
  }

  /** It was accepted or replaced by a fault. */
  settle(): void {
    this.#isOpen = false;
    this.hasRefused = false;
    copy(this.now, this.#sent);
    this.#hasSent = true;
    this.isNew = false;
  }

  /** The last sent one did not arrive and must be repeated. */
  forget(): void {
    this.#hasSent = false;
    this.isNew = true;
  }

  /** It was refused. */
  refuse(): void {
    this.#hasSent = false;
    this.isNew = true;
    copy(this.now, this.#refused);
    this.hasRefused = true;
  }

  /** Whether it repeats a refused one. */
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
