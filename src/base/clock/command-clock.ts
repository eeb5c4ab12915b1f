import type { Clock, Timer } from './clock.ts';

/**
 * The clock of a process that lives for one command. Reading it takes longer than reading a
 * SystemClock, but it is available immediately: Node sets up `performance` when it is first touched, which
 * takes a millisecond.
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
