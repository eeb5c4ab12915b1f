const DEADLINE = 0;
const RINGING = 1;
const WORDS = 2;

const UNARMED = 2n ** 63n - 1n;
const STOPPED = -1n;
const NOT_RINGING = 0n;
const IS_RINGING = 1n;

const LARGEST_DEADLINE_US = Number.MAX_SAFE_INTEGER;

/**
 * The memory that the bench thread and its metronome share: the armed deadline, in whole microseconds
 * so that it fits a word that can be waited on, and whether a ring awaits its answer. Every method is
 * one atomic operation.
 *
 * The bench thread arms, stops and answers; the metronome reads, sleeps, takes and raises. Between any
 * two steps of one side the other may do anything, so this is why no armed deadline is forgotten:
 *
 * - Armed before the metronome reads: it reads the new deadline.
 * - Armed after it read and before it sleeps: the word differs from what it read, so `sleep` returns
 *   at once and it reads again.
 * - Armed while it sleeps, for an earlier time: `arm` wakes it. For a later or the same time it may
 *   sleep on: it wakes at the time it knows, finds the later one and sleeps again.
 * - Armed or stopped after the time has come and before `take`: `take` fails, since the word has
 *   changed, and it reads again. Armed with the very same deadline: `take` serves the old and the new as one.
 * - Armed after `take` and before `raise` or its message: the word holds the new deadline, which the
 *   metronome reads once it has posted, so the new one rings as well.
 * - `raise` finds a ring unanswered: no second message is needed. The answer is still to come, and the
 *   bench thread compares its armed deadline with the clock only after answering, that is, after the
 *   metronome saw the time come. Should the two threads' clocks disagree by a fraction, so that the
 *   bench thread finds it too early still, it arms the deadline anew.
 *
 * Hence also at most one message is under way: `raise` grants the next only after an answer.
 */
export class MetronomeWords {
  readonly memory: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  /** Without memory: fresh words, unarmed. With it: the same words, seen from another thread. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT);
    this.#words = new BigInt64Array(this.memory);
    if (!memory) this.#words[DEADLINE] = UNARMED;
  }

  /** Sets the deadline, rounded up so that it is never early; wakes the metronome if it is sooner. */
  arm(atUs: number): void {
    const deadline = BigInt(Math.min(Math.max(0, Math.ceil(atUs)), LARGEST_DEADLINE_US));
    this.#replaceDeadline(deadline);
  }

  /** Ends the metronome for good. */
  stop(): void {
    this.#replaceDeadline(STOPPED);
  }

  /** Takes note of a ring; the next may be posted. */
  answer(): void {
    Atomics.store(this.#words, RINGING, NOT_RINGING);
  }

  /** The deadline in microseconds: Infinity while unarmed, negative once stopped. */
  read(): number {
    const deadline = Atomics.load(this.#words, DEADLINE);
    return deadline === UNARMED ? Number.POSITIVE_INFINITY : Number(deadline);
  }

  /** Sleeps for a time, but only while the deadline is the one that was read and none is sooner. */
  sleep(readUs: number, durationUs: number): void {
    Atomics.wait(this.#words, DEADLINE, wordOf(readUs), durationUs / 1000);
  }

  /** Disarms the deadline that was read; false if it has been replaced meanwhile. */
  take(readUs: number): boolean {
    const word = wordOf(readUs);
    return Atomics.compareExchange(this.#words, DEADLINE, word, UNARMED) === word;
  }

  /** Claims the right to post a ring; false while one is unanswered. */
  raise(): boolean {
    return Atomics.exchange(this.#words, RINGING, IS_RINGING) === NOT_RINGING;
  }

  #replaceDeadline(deadline: bigint): void {
    const replaced = Atomics.exchange(this.#words, DEADLINE, deadline);
    if (deadline < replaced) Atomics.notify(this.#words, DEADLINE);
  }
}

const wordOf = (readUs: number): bigint =>
  readUs === Number.POSITIVE_INFINITY ? UNARMED : BigInt(readUs);
