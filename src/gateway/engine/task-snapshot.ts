import { generateRefresh, type Refresh, type SentBinding } from './generated/generate-refresh.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import { type MuxMember, takesPart } from './mux.ts';

export interface SnapshotMember extends MuxMember {
  readonly signal: number;
  readonly isValid: boolean;
  readonly sent: SentBinding | null;
  write(bytes: Uint8Array): void;
}

const isEqual = (one: Int32Array, other: Int32Array): boolean => {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
};

/** For few words, a loop is faster than a call. */
const copy = (from: Int32Array, to: Int32Array): void => {
  for (let index = 0; index < from.length; index++) to[index] = from[index] as number;
};

const active = 1;
const valid = 2;

/**
 * The next frame of a task without counters and checksums, and for each binding whether it is present and valid.
 * An on-change task compares whole snapshots.
 *
 *     | bytes of the frame | one byte for each binding |
 */
export class TaskSnapshot implements HotPart {
  readonly now: Int32Array;
  readonly frame: Uint8Array;
  readonly #bindings: readonly SnapshotMember[];
  readonly #fill: number;
  readonly #length: number;
  /** The snapshot being built is written as bytes; the others are compared and copied as words. */
  readonly #bytes: Uint8Array;
  readonly #work: Int32Array;
  readonly #sent: Int32Array;
  #hasSent = false;
  readonly #refused: Int32Array;
  hasRefused = false;
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

  /** Reads the bindings. Returns `replaced` if the previous snapshot was never sent. */
  refresh(): 'same' | 'changed' | 'replaced' {
    const quick = this.#quick;
    const isChanged = quick === null ? this.#look() : quick();
    if (!isChanged) return 'same';
    this.isNew = !this.#hasSent || !isEqual(this.now, this.#sent);
    const isReplaced = this.#isOpen;
    this.#isOpen = true;
    return isReplaced ? 'replaced' : 'changed';
  }

  open(): void {
    this.#isOpen = true;
  }

  settle(): void {
    this.#isOpen = false;
    this.hasRefused = false;
    copy(this.now, this.#sent);
    this.#hasSent = true;
    this.isNew = false;
  }

  /** The last sent snapshot was lost and must be repeated. */
  forget(): void {
    this.#hasSent = false;
    this.isNew = true;
  }

  refuse(): void {
    this.#hasSent = false;
    this.isNew = true;
    copy(this.now, this.#refused);
    this.hasRefused = true;
  }

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
