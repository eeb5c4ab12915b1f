import { describe, expect, it } from 'vitest';
import { Deferred } from '../base/deferred.ts';
import { Mutex } from './mutex.ts';

describe('Mutex', () => {
  it('lets work begin only after what came before it, failed or not', async () => {
    const turns = new Mutex();
    const log: string[] = [];
    const first = new Deferred<void>();
    const one = turns.take(async () => {
      log.push('one begins');
      await first.promise;
    });
    const two = turns.take(async () => {
      log.push('two begins');
      return 2;
    });
    await Promise.resolve();
    await Promise.resolve();
    expect(log).toEqual(['one begins']);
    first.reject(new RangeError('no'));
    await expect(one).rejects.toThrow('no');
    await expect(two).resolves.toBe(2);
    expect(log).toEqual(['one begins', 'two begins']);
  });
});
