import { describe, expect, it } from 'vitest';
import { YieldQueue } from './yield-queue.ts';

/** An event loop whose turns the test runs. */
const handTurned = () => {
  const next: (() => void)[] = [];
  const turns = new YieldQueue((work) => next.push(work));
  const goRound = (): void => {
    for (const work of next.splice(0)) work();
  };
  return { turns, goRound };
};

describe('YieldQueue', () => {
  it('runs one piece of work in each turn, in order', () => {
    const { turns, goRound } = handTurned();
    const done: string[] = [];
    turns.take(() => done.push('one'));
    turns.take(() => done.push('two'));
    expect(done).toEqual([]);
    goRound();
    expect(done).toEqual(['one']);
    expect(turns.waiting).toBe(1);
    goRound();
    expect(done).toEqual(['one', 'two']);
    expect(turns.waiting).toBe(0);
  });

  it('gives work that comes back again and again its place behind the rest', () => {
    const { turns, goRound } = handTurned();
    const done: string[] = [];
    const greedy = (): void => {
      done.push('greedy');
      turns.take(greedy);
    };
    turns.take(greedy);
    turns.take(() => done.push('modest'));
    for (let turn = 0; turn < 4; turn++) goRound();
    expect(done).toEqual(['greedy', 'modest', 'greedy', 'greedy']);
  });

  it('resolves one waiting caller in each turn of the event loop', async () => {
    const turns = new YieldQueue();
    const done: string[] = [];
    const first = turns.next().then(() => done.push('first'));
    const second = turns.next().then(() => done.push('second'));
    await first;
    expect(done).toEqual(['first']);
    await second;
    expect(done).toEqual(['first', 'second']);
  });

  it('refuses a caller that has left before its turn, and not the next one', async () => {
    const { turns, goRound } = handTurned();
    const caller = new AbortController();
    const left = turns.next(caller.signal);
    const stayed = turns.next(new AbortController().signal);
    caller.abort();
    goRound();
    goRound();
    await expect(left).rejects.toMatchObject({ code: 'operation_cancelled' });
    await expect(stayed).resolves.toBeUndefined();
  });
});
