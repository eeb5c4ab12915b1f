import { BusbarError } from '../errors/busbar-error.ts';
import type { Clock } from './clock.ts';

export const within = <T>(
  clock: Clock,
  delayMs: number,
  promised: Promise<T>,
): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const timer = clock.after(delayMs, () => resolve(undefined));
    promised.then(resolve, reject).finally(() => timer.cancel());
  });

/**
 * Waits for `delayMs`; 0 waits for one event loop iteration. An abort rejects with
 * `operation_cancelled`.
 */
export const pause = (clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = (): void => {
      timer.cancel();
      reject(new BusbarError('operation_cancelled', { details: { reason: 'caller' } }));
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
