import type { Clock, Timer } from '../clock.ts';

class PendingTimer implements Timer {
  readonly atUs: number;
  readonly order: number;
  readonly callback: () => void;
  readonly #pending: Set<PendingTimer>;
  readonly cancel = (): void => void this.#pending.delete(this);

  constructor(pending: Set<PendingTimer>, atUs: number, order: number, callback: () => void) {
    this.#pending = pending;
    this.atUs = atUs;
    this.order = order;
    this.callback = callback;
  }
}

export class FakeClock implements Clock {
  #nowUs: number;
  #order = 0;
  readonly #pending = new Set<PendingTimer>();
  readonly unixOffsetUs: number;

  constructor(options: { startUs?: number; unixStartUs?: number } = {}) {
    this.#nowUs = options.startUs ?? 0;
    this.unixOffsetUs = (options.unixStartUs ?? 1_700_000_000_000_000) - this.#nowUs;
  }

  monotonicUs(): number {
    return this.#nowUs;
  }

  unixUs(): number {
    return Math.floor(this.#nowUs + this.unixOffsetUs);
  }

  after(delayMs: number, callback: () => void): Timer {
    const atUs = this.#nowUs + Math.max(0, delayMs) * 1000;
    const timer = new PendingTimer(this.#pending, atUs, this.#order++, callback);
    this.#pending.add(timer);
    return timer;
  }

  get pendingTimers(): number {
    return this.#pending.size;
  }

  advanceUs(deltaUs: number): void {
    this.advanceToUs(this.#nowUs + deltaUs);
  }

  advanceToUs(targetUs: number): void {
    for (let next = this.#nextUntil(targetUs); next; next = this.#nextUntil(targetUs)) {
      this.#pending.delete(next);
      this.#nowUs = Math.max(this.#nowUs, next.atUs);
      next.callback();
    }
    this.#nowUs = Math.max(this.#nowUs, targetUs);
  }

  /** Simulates a busy thread: timers that fall due meanwhile fire late, on the next advance. */
  spendUs(deltaUs: number): void {
    this.#nowUs += deltaUs;
  }

  #nextUntil(targetUs: number): PendingTimer | undefined {
    let best: PendingTimer | undefined;
    for (const timer of this.#pending) {
      if (timer.atUs > targetUs) continue;
      const earlier =
        !best || timer.atUs < best.atUs || (timer.atUs === best.atUs && timer.order < best.order);
      if (earlier) best = timer;
    }
    return best;
  }
}
