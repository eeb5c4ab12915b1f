import type { DeadlineHeap, HeapEntry } from '../base/schedule/deadline-heap.ts';
import { isGood } from '../e2e/check-state.ts';
import type { FrameChecker } from '../e2e/protection.ts';
import { maxFdLength } from '../frame/dlc.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import type { TraceBatch } from '../trace/trace-batch.ts';
import type { BytePattern } from './byte-pattern.ts';
import type { CompiledTerm, DecodedSignal } from './compile-condition.ts';
import type { TermValue } from './program.ts';
import type { SignalReader } from './signal-test.ts';

/** The value of a term, over all of its channels. */
export class TermCell implements TermValue {
  readonly compiled: CompiledTerm;
  readonly #touch: () => void;
  isHit = false;
  /** Whether a channel with its name has had events. */
  isMet = false;
  /** Channels on which the state holds. */
  #holding = 0;

  constructor(compiled: CompiledTerm, touch: () => void) {
    this.compiled = compiled;
    this.#touch = touch;
  }

  get holds(): boolean {
    return this.#holding > 0;
  }

  hit(): void {
    this.isHit = true;
    this.#touch();
  }

  count(by: 1 | -1): void {
    this.#holding += by;
    this.#touch();
  }
}

/** What a channel has of a term: takes frames that concern it. */
export interface Watch {
  /** The time in nanoseconds is in an array: as a number it would be allocated per frame. */
  take(batch: TraceBatch, row: number, view: DataView, now: Float64Array): void;
  /** Forgets what came before. */
  reset(): void;
}

export class FrameWatch implements Watch {
  readonly #cell: TermCell;
  readonly #data: BytePattern | null;

  constructor(cell: TermCell) {
    this.#cell = cell;
    this.#data = cell.compiled.data;
  }

  take(batch: TraceBatch, row: number): void {
    const { payload, length } = batch;
    if (this.#data?.matches(payload, row * maxFdLength, length[row] as number) === false) return;
    this.#cell.hit();
  }

  reset(): void {}
}

/** Takes payloads of frames, and longer ones that were reassembled. */
export interface PayloadWatch extends Watch {
  takePayload(decoded: DecodedSignal, view: DataView, at: number, length: number): void;
}

export class SignalWatch implements PayloadWatch {
  readonly #cell: TermCell;
  #holds = false;

  constructor(cell: TermCell) {
    this.#cell = cell;
  }

  take(): void {}

  takePayload({ reader, test }: DecodedSignal, view: DataView, at: number, length: number): void {
    if (!reader.read(view, at, length)) return;
    this.#set(test?.matches(reader.values) === true);
  }

  reset(): void {
    this.#set(false);
  }

  #set(holds: boolean): void {
    if (holds === this.#holds) return;
    this.#holds = holds;
    this.#cell.count(holds ? 1 : -1);
  }
}

export class ChangeWatch implements PayloadWatch {
  readonly #cell: TermCell;
  #last = new Uint32Array(0);
  #of: SignalReader | null = null;

  constructor(cell: TermCell) {
    this.#cell = cell;
  }

  take(): void {}

  takePayload({ reader }: DecodedSignal, view: DataView, at: number, length: number): void {
    if (!reader.read(view, at, length)) return;
    const { words } = reader.values;
    if (this.#of !== reader) {
      this.#of = reader;
      this.#last = words.slice();
      return;
    }
    const last = this.#last;
    let isOther = false;
    for (let word = 0; word < words.length; word++) {
      if (last[word] === words[word]) continue;
      last[word] = words[word] as number;
      isOther = true;
    }
    if (isOther) this.#cell.hit();
  }

  reset(): void {
    this.#of = null;
  }
}

/** A signal of one message, found by the identifier of a frame. */
export class DecodingWatch implements Watch {
  /** Only messages of a parameter group can be longer than a frame. */
  readonly hasGroup: boolean;
  readonly #watch: PayloadWatch;
  readonly #decoded: DecodedSignal;

  constructor(watch: PayloadWatch, decoded: DecodedSignal, hasGroup: boolean) {
    this.hasGroup = hasGroup;
    this.#watch = watch;
    this.#decoded = decoded;
  }

  take(batch: TraceBatch, row: number, view: DataView): void {
    this.takeBytes(view, row * maxFdLength, batch.length[row] as number);
  }

  takeBytes(view: DataView, at: number, length: number): void {
    this.#watch.takePayload(this.#decoded, view, at, length);
  }

  reset(): void {
    this.#watch.reset();
  }
}

/**
 *               frame              duration after the last one
 *     unknown ─────────▶ active ─────────────────────────────▶ silent
 *                          ▲                frame                │
 *                          └─────────────────────────────────────┘
 */
export class SilenceWatch implements Watch, HeapEntry {
  readonly #cell: TermCell;
  readonly #durationNs: number;
  readonly #deadlines: DeadlineHeap<SilenceWatch>;
  #isSilent = false;
  heapIndex = -1;
  /** When it becomes silent, while it is in the heap. There it can have an earlier deadline. */
  deadlineNs = Number.POSITIVE_INFINITY;

  constructor(cell: TermCell, durationNs: number, deadlines: DeadlineHeap<SilenceWatch>) {
    this.#cell = cell;
    this.#durationNs = durationNs;
    this.#deadlines = deadlines;
  }

  take(_batch: TraceBatch, _row: number, _view: DataView, now: Float64Array): void {
    this.deadlineNs = (now[0] as number) + this.#durationNs;
    // It is moved only when the earlier deadline is reached: most frames are in time.
    if (this.heapIndex < 0) this.#deadlines.put(this, this.deadlineNs);
    this.#set(false);
  }

  expire(): void {
    this.#deadlines.remove(this);
    this.#set(true);
  }

  reset(): void {
    this.#deadlines.remove(this);
    this.#set(false);
  }

  #set(isSilent: boolean): void {
    if (isSilent === this.#isSilent) return;
    this.#isSilent = isSilent;
    this.#cell.count(isSilent ? 1 : -1);
  }
}

export class E2eWatch implements Watch {
  readonly #cell: TermCell;
  readonly #checker: FrameChecker;
  readonly #start: number;
  readonly #end: number;

  constructor(cell: TermCell, checker: FrameChecker, start: number, end: number) {
    this.#cell = cell;
    this.#checker = checker;
    this.#start = start;
    this.#end = end;
  }

  take({ flags, length, payload }: TraceBatch, row: number): void {
    if (((flags[row] as number) & frameFlag.remote) !== 0) return;
    const isShort = (length[row] as number) < this.#end;
    if (!isShort) {
      const result = this.#checker.check(payload, row * maxFdLength + this.#start);
      // While it resynchronizes, the frames are in order.
      if (isGood(result) || result === 'sync') return;
    }
    this.#cell.hit();
  }

  reset(): void {
    this.#checker.reset();
  }
}
