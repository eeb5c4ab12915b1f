import type { Clock } from '../clock/clock.ts';
import { requestFifo } from '../native/libc.ts';
import { minimiseTimerSlack } from '../native/this-thread.ts';
import { type MetronomeReport, type MetronomeStart, RING } from './metronome-messages.ts';
import { MetronomeWords } from './metronome-words.ts';

/** The worker's end of its port, such as `parentPort`. */
export interface MetronomePort {
  postMessage(message: MetronomeReport | typeof RING): void;
  once(event: 'message', listener: (start: MetronomeStart) => void): unknown;
}

/**
 * Waits for the start message, reports what the system granted, then keeps time until it is stopped.
 * From then on the thread sleeps in the kernel and never returns to its event loop.
 */
export const runMetronome = async (port: MetronomePort, clock: Clock): Promise<void> => {
  const { memory, fifoPriority } = await new Promise<MetronomeStart>((resolve) => {
    port.once('message', resolve);
  });
  const exactTimers = minimiseTimerSlack();
  port.postMessage(
    fifoPriority === undefined
      ? { exactTimers }
      : { exactTimers, fifo: await requestFifo(fifoPriority) },
  );
  keepTime(new MetronomeWords(memory), clock, () => port.postMessage(RING));
};

/** Posts a ring for every deadline that comes; returns once stopped. */
export const keepTime = (words: MetronomeWords, clock: Clock, postRing: () => void): void => {
  for (let readUs = words.read(); readUs >= 0; readUs = words.read()) {
    const remainingUs = readUs - clock.monotonicUs();
    if (remainingUs > 0) words.sleep(readUs, remainingUs);
    else if (words.take(readUs) && words.raise()) postRing();
  }
};
