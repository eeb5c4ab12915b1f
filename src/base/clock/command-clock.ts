import type { Clock, Timer } from './clock.ts';

/**
 * The clock of a process that runs one command. Node sets up `performance` on first use, which
 * takes a millisecond. This clock is slower to read but available immediately.
 */
export class CommandClock implements Clock {
  readonly unixOffsetUs = Date.now() * 1000 - this.monotonicUs();

  monotonicUs(): number {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e6 + nanoseconds / 1000;
  }

  unixUs(): number {
    return Math.floor(this.monotonicUs() + this.unixOffsetUs);
  }

  after(delayMs: number, callback: () => void): Timer {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  }
}
