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
