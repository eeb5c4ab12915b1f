import type { Clock, Timer } from './clock.ts';

interface Pending {
  readonly atUs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that moves only when told to. Timers fire in order, each at its own exact time. */
export class FakeClock implements Clock {
  #nowUs: number;
  #order = 0;
  readonly #pending = new Set<Pending>();
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
    const entry = {
      atUs: this.#nowUs + Math.max(0, delayMs) * 1000,
      order: this.#order++,
      callback,
    };
    this.#pending.add(entry);
    return { cancel: () => void this.#pending.delete(entry) };
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

  #nextUntil(targetUs: number): Pending | undefined {
    let best: Pending | undefined;
    for (const entry of this.#pending) {
      if (entry.atUs > targetUs) continue;
      const earlier =
        !best || entry.atUs < best.atUs || (entry.atUs === best.atUs && entry.order < best.order);
      if (earlier) best = entry;
    }
    return best;
  }
}
