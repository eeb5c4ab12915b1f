import type { PortReporter } from '../port-reporter.ts';
import type { TxRing } from './tx-ring.ts';

/** Ends frames other than by their echoes, each in its turn. */
export class TxOutcomes {
  readonly #tx: TxRing;
  readonly #reporter: PortReporter;
  readonly #nowUs: () => number;

  constructor(tx: TxRing, reporter: PortReporter, nowUs: () => number) {
    this.#tx = tx;
    this.#reporter = reporter;
    this.#nowUs = nowUs;
  }

  /** Frames that the kernel refused have their outcome when those before them have. */
  settleRefused(): void {
    while (this.#tx.isFirstRefused) {
      this.#tx.drop(1);
      this.#reporter.failed(1, 0, this.#nowUs());
    }
  }

  /** The first frames that wait will never be handed to the kernel. */
  refuse(frames: number): void {
    for (let i = 0; i < frames; i++) this.#tx.refuse();
    this.settleRefused();
  }

  /**
   * The first frames with the kernel will have no echo any more: what became of them is not known, but of
   * those that it refused.
   */
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

  /** The same of all that the kernel has. */
  forgetGiven(): void {
    this.forget(this.#tx.given);
  }

  /** What the kernel has will never be sent. */
  failGiven(): void {
    const { given } = this.#tx;
    this.#tx.drop(given);
    this.#reporter.failed(given, 0, this.#nowUs());
  }

  /** Nothing of all this will ever be sent. */
  failAll(): void {
    this.#reporter.failed(this.#tx.clear(), 0, this.#nowUs());
  }
}
