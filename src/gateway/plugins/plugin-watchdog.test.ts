import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { boardBytes, CallBoard } from './call-board.ts';
import { PluginWatchdog } from './plugin-guard.ts';

const ms = 1000;

describe('the watchdog of plugins', () => {
  const filter = { instance: 'plant', plugin: 'filter' };
  let clock: FakeClock;
  let board: CallBoard;
  let slot: number;
  let received: string[];
  let watchdog: PluginWatchdog;

  beforeEach(async () => {
    clock = new FakeClock();
    board = new CallBoard(new SharedArrayBuffer(boardBytes));
    slot = board.claim(filter);
    received = [];
    watchdog = new PluginWatchdog({
      clock,
      board: async () => board,
      onHung: ({ instance, plugin }) => received.push(`hung ${instance} ${plugin}`),
      onStuck: ({ plugin }) => received.push(`stuck ${plugin}`),
      onReturned: ({ instance, plugin }) => received.push(`returned ${instance} ${plugin}`),
    });
    await watchdog.start();
  });

  it('names a call that does not return, once, and again when a trial would have ended it', () => {
    board.enter(slot);
    clock.advanceUs(1000 * ms);
    expect(watchdog.hung).toBeNull();
    clock.advanceUs(500 * ms);
    expect(watchdog.hung).toEqual(filter);
    clock.advanceUs(4500 * ms);
    expect(received).toEqual(['hung plant filter']);
    clock.advanceUs(60_000 * ms);
    expect(received).toEqual(['hung plant filter', 'stuck filter']);
  });

  it('tells when it has returned after all, and can name it again', () => {
    board.enter(slot);
    clock.advanceUs(2000 * ms);
    expect(watchdog.hasReturned).toBe(false);
    board.leave();
    expect(watchdog.hasReturned).toBe(true);
    clock.advanceUs(500 * ms);
    expect(watchdog.hung).toBeNull();
    board.enter(slot);
    clock.advanceUs(2000 * ms);
    expect(received).toEqual(['hung plant filter', 'returned plant filter', 'hung plant filter']);
  });

  it('has nothing against many calls of one plugin, one after the other', () => {
    for (let look = 0; look < 20; look++) {
      board.enter(slot);
      clock.advanceUs(500 * ms);
      board.leave();
    }
    expect(received).toEqual([]);
  });

  it('takes the call that follows one that hung for another', () => {
    board.enter(slot);
    clock.advanceUs(2000 * ms);
    board.leave();
    board.enter(board.claim({ instance: 'plant', plugin: 'codec' }));
    clock.advanceUs(500 * ms);
    expect(watchdog.hung).toBeNull();
    clock.advanceUs(1000 * ms);
    expect(received).toEqual(['hung plant filter', 'returned plant filter', 'hung plant codec']);
  });

  it('notices also plugins that have no slot of their own', () => {
    const claims = Array.from({ length: 256 }, () => board.claim(filter));
    board.enter(claims.at(-1) ?? 0);
    clock.advanceUs(2000 * ms);
    expect(received).toEqual(['hung  ']);
  });

  it('looks no more once it was stopped', () => {
    watchdog.stop();
    board.enter(slot);
    clock.advanceUs(10_000 * ms);
    expect(received).toEqual([]);
  });

  it('begins to look at the next start where it could not at the first', async () => {
    let attempts = 0;
    const late = new PluginWatchdog({
      clock,
      board: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('There is no room');
        return board;
      },
      onHung: ({ plugin }) => received.push(`hung ${plugin}`),
      onStuck: () => undefined,
      onReturned: () => undefined,
    });
    await expect(late.start()).rejects.toThrow('no room');
    await late.start();
    await late.start();
    board.enter(slot);
    clock.advanceUs(2000 * ms);
    expect([attempts, late.hung]).toEqual([2, filter]);
  });
});
