import type { PortReporter } from '../port-reporter.ts';
import type { TxRing } from './tx-ring.ts';

export class TxOutcomes {
  readonly #tx: TxRing;
  readonly #reporter: PortReporter;
  readonly #nowUs: () => number;

  constructor(tx: TxRing, reporter: PortReporter, nowUs: () => number) {
    this.#tx = tx;
    this.#reporter = reporter;
    this.#nowUs = nowUs;
  }

  /** Refused frames complete after the frames before them. */
  settleRefused(): void {
    while (this.#tx.isFirstRefused) {
      this.#tx.drop(1);
      this.#reporter.failed(1, 0, this.#nowUs());
    }
  }

  /** The first waiting frames will never be sent. */
  refuse(frames: number): void {
    for (let i = 0; i < frames; i++) this.#tx.refuse();
    this.settleRefused();
  }

  /** The first frames in the kernel get no echo. Their outcome is unknown. */
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

  forgetGiven(): void {
    this.forget(this.#tx.given);
  }

  failGiven(): void {
    const { given } = this.#tx;
    this.#tx.drop(given);
    this.#reporter.failed(given, 0, this.#nowUs());
  }

  failAll(): void {
    this.#reporter.failed(this.#tx.clear(), 0, this.#nowUs());
  }
}
