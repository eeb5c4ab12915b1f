import { closeSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { type StartReport, type StartStage, starterFd } from '../../link/start-report.ts';

/** Pipe to the process that started this daemon. */
export class Starter {
  /** Reports progress or result. A starter that no longer waits is ignored. */
  report(report: StartReport | StartStage): void {
    try {
      writeSync(starterFd, `${JSON.stringify(report)}\n`);
    } catch {
      // It is gone.
    }
  }

  /** A detached daemon closes the pipe. */
  release(): void {
    try {
      closeSync(starterFd);
    } catch {
      // Started without a pipe.
    }
  }

  /** A foreground daemon ends with its starter, even if that was killed. */
  follow(onGone: () => void): void {
    const pipe = new Socket({ fd: starterFd, readable: true, writable: false });
    pipe.on('error', () => undefined);
    pipe.on('close', onGone);
    pipe.resume();
  }
}
