import type { PortReporter } from '../port-reporter.ts';
import type { TxRing } from './tx-ring.ts';

/** Settles frames without echoes, in order. */
export class TxOutcomes {
  readonly #tx: TxRing;
  readonly #reporter: PortReporter;
  readonly #nowUs: () => number;

  constructor(tx: TxRing, reporter: PortReporter, nowUs: () => number) {
    this.#tx = tx;
    this.#reporter = reporter;
    this.#nowUs = nowUs;
  }

  /** Refused frames settle after those before them. */
  settleRefused(): void {
    while (this.#tx.isFirstRefused) {
      this.#tx.drop(1);
      this.#reporter.failed(1, 0, this.#nowUs());
    }
  }

  /** The first waiting frames are never sent. */
  refuse(frames: number): void {
    for (let i = 0; i < frames; i++) this.#tx.refuse();
    this.settleRefused();
  }

  /** The first frames in the kernel get no echo; their outcome is unknown. */
  forget(frames: number): void {
    for (let left = frames; left > 0 && this.#tx.given > 0; left--) {
      const wasRefused = this.#tx.isFirstRefused;
      this.#tx.drop(1);
      if (wasRefused) {
        this.#reporter.failed(1, 0, this.#nowUs());
      } else {
        this.#reporter.readSettled();
        this.#reporter.sink.outcomesDropped();
      }
    }
  }

  /** All frames in the kernel. */
  forgetGiven(): void {
    this.forget(this.#tx.given);
  }

  /** Frames in the kernel are never sent. */
  failGiven(): void {
    const { given } = this.#tx;
    this.#tx.drop(given);
    this.#reporter.failed(given, 0, this.#nowUs());
  }

  /** Everything fails. */
  failAll(): void {
    this.#reporter.failed(this.#tx.clear(), 0, this.#nowUs());
  }
}
