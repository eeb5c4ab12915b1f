import type { Bell } from '../doorbell.ts';

/** A bell that the test rings; it records the requests. */
export class SilentBell implements Bell {
  readonly log: string[] = [];
  #onRing: (() => void) | undefined;

  arm(writers: number): void {
    this.log.push(`arm ${writers}`);
  }

  disarm(): void {
    this.log.push('disarm');
    this.#onRing = undefined;
  }

  sleep(onRing: () => void): void {
    this.log.push('sleep');
    this.#onRing = onRing;
  }

  ring(): void {
    const onRing = this.#onRing;
    this.#onRing = undefined;
    onRing?.();
  }
}
