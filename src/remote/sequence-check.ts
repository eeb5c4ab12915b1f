import { sequenceModulus } from './cannelloni-layout.ts';

/** A larger distance is behind. */
const mostAhead = sequenceModulus / 2 - 1;

/**
 * Follows the sequence numbers of one peer. What is skipped counts as lost until it comes late. A
 * number that was there before is a duplicate, unless the next one follows it: two in a row are a
 * jump, by a peer that starts anew or a loss of half the numbers or more. Which of them, and how
 * many are missing, cannot be told. A loss of all the numbers, or a multiple, leaves no trace.
 */
export class SequenceCheck {
  lost = 0;
  reordered = 0;
  /** Datagrams with a number already seen. */
  duplicates = 0;
  /** Jumps backwards. */
  jumps = 0;
  #expected = -1;
  #afterDuplicate = -1;
  /** Missing numbers before the expected one. */
  readonly #missing = new Uint8Array(sequenceModulus);

  accept(sequence: number): void {
    if (this.#expected < 0) this.#expected = sequence;
    const ahead = wrapped(sequence - this.#expected);
    if (ahead <= mostAhead) this.#advance(sequence, ahead);
    else if (this.#missing[sequence] === 1) this.#takeLate(sequence);
    else this.#takeDuplicate(sequence);
  }

  #advance(sequence: number, ahead: number): void {
    for (let skipped = 0; skipped < ahead; skipped++) {
      this.#missing[wrapped(this.#expected + skipped)] = 1;
    }
    this.lost += ahead;
    this.#missing[sequence] = 0;
    this.#expected = wrapped(sequence + 1);
    this.#afterDuplicate = -1;
  }

  #takeLate(sequence: number): void {
    this.#missing[sequence] = 0;
    this.lost--;
    this.reordered++;
  }

  #takeDuplicate(sequence: number): void {
    if (sequence === this.#afterDuplicate) {
      // The previous one was the first after the jump.
      this.duplicates--;
      this.jumps++;
      this.#missing.fill(0);
      this.#advance(sequence, 0);
      return;
    }
    this.duplicates++;
    this.#afterDuplicate = wrapped(sequence + 1);
  }
}

const wrapped = (sequence: number): number => sequence & (sequenceModulus - 1);
