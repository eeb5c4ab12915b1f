import { describe, expect, it } from 'vitest';
import { Deferred } from './deferred.ts';

describe('Deferred', () => {
  it('is pending until it is settled from outside', async () => {
    const deferred = new Deferred<string>();
    const other = Promise.resolve('other');
    expect(await Promise.race([deferred.promise, other])).toBe('other');
    deferred.resolve('value');
    expect(await deferred.promise).toBe('value');
  });

  it('rejects with the reason it is given', async () => {
    const deferred = new Deferred<string>();
    const reason = new Error('no');
    deferred.reject(reason);
    await expect(deferred.promise).rejects.toBe(reason);
  });

  it('is settled once: what comes later changes nothing', async () => {
    const deferred = new Deferred<number>();
    deferred.resolve(1);
    deferred.resolve(2);
    deferred.reject(new Error('late'));
    expect(await deferred.promise).toBe(1);
  });

  it('works with its functions passed on by themselves', async () => {
    const deferred = new Deferred<number>();
    [7].forEach(deferred.resolve);
    expect(await deferred.promise).toBe(7);
  });
});
