import { closeSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { type StartReport, type StartStage, starterFd } from '../../link/start-report.ts';

/** The pipe to the process that started this daemon. */
export class Starter {
  /**
   * Tells how far the start is, or how it went. A starter that does not wait any longer is no reason
   * to fail.
   */
  report(report: StartReport | StartStage): void {
    try {
      writeSync(starterFd, `${JSON.stringify(report)}\n`);
    } catch {
      // It has gone; the daemon is up all the same.
    }
  }

  /** A detached daemon outlives its starter and lets go of it. */
  release(): void {
    try {
      closeSync(starterFd);
    } catch {
      // Started by hand, without a pipe.
    }
  }

  /** A daemon in the foreground ends with its starter, even if that was killed. */
  follow(onGone: () => void): void {
    const pipe = new Socket({ fd: starterFd, readable: true, writable: false });
    pipe.on('error', () => undefined);
    pipe.on('close', onGone);
    pipe.resume();
  }
}
