import { describe, expect, it } from 'vitest';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { aMessage, aSignal } from '../testing/models.ts';
import { type FrameOptions, LiveBench } from './testing/live-bench.ts';

const message = aMessage([aSignal(), aSignal({ name: 'Load', startBit: 8 })]);

describe('PlanSet', () => {
  it.each<[string, FrameOptions, boolean]>([
    ['a frame received', {}, true],
    ['a frame sent', { kind: eventKindCode.tx_complete }, true],
    ['a CAN FD frame', { bus: busCode.canfd, flags: frameFlag.fd | frameFlag.brs }, true],
    ['another identifier', { id: 0x124 }, false],
    ['the same identifier in the other format', { flags: frameFlag.extended }, false],
    ['another channel', { channel: 1 }, false],
    ['a remote frame', { flags: frameFlag.remote }, false],
    ['an error frame', { flags: frameFlag.error }, false],
    ['a LIN frame', { bus: busCode.lin }, true],
    ['a LIN header without a response', { bus: busCode.lin, status: 6 }, false],
    ['a frame that failed', { status: 1 }, false],
  ])('takes what is about a plan and good: %s', (_, given, expected) => {
    const bench = new LiveBench();
    const plan = bench.plan(message);
    expect(bench.frame([1, 2], given)).toBe(expected);
    expect(plan.frames).toBe(expected ? 1 : 0);
  });

  it('tells extended identifiers from all others up to the largest', () => {
    const bench = new LiveBench();
    const id = 0x1fff_ffff;
    const plan = bench.plan({ ...message, id, extended: true }, { channel: 0xffff });
    expect(bench.frame([1], { channel: 0xffff, id, flags: frameFlag.extended })).toBe(true);
    expect(bench.frame([1], { channel: 0xffff, id: id - 1, flags: frameFlag.extended })).toBe(
      false,
    );
    expect(bench.frame([1], { channel: 0xfffe, id, flags: frameFlag.extended })).toBe(false);
    expect(plan.frames).toBe(1);
  });

  it('numbers the samples of all plans with one counter', () => {
    const bench = new LiveBench();
    const one = bench.plan(message);
    const other = bench.plan(message, { planId: 'p2', signals: ['Load'] });
    bench.frame([1, 2]);
    bench.frame([3, 4]);
    expect([one.latest('Speed').sequence, one.latest('Load').sequence]).toEqual([4, 5]);
    expect(other.latest('Load').sequence).toBe(6);
    expect(bench.set.newestSequence).toBe(6);
  });

  it('goes on counting after everything was cleared', () => {
    const bench = new LiveBench();
    bench.plan(message);
    bench.frame([1, 2]);
    bench.set.clear();
    expect([bench.frame([1, 2]), bench.set.list()]).toEqual([false, []]);
    const again = bench.plan(message);
    bench.frame([1, 2]);
    expect(again.latest('Speed').sequence).toBe(3);
  });

  it('lets go of one plan and keeps the other on the same message', () => {
    const bench = new LiveBench();
    const gone = bench.plan(message);
    const kept = bench.plan(message, { planId: 'p2' });
    expect(bench.set.remove('p1')).toBe(gone);
    bench.frame([1, 2]);
    expect([gone.frames, gone.isRemoved, kept.frames]).toEqual([0, true, 1]);
    expect(bench.set.list()).toEqual([kept]);
    bench.set.remove('p2');
    expect(bench.frame([1, 2])).toBe(false);
  });

  it('refuses what it does not know, and a plan that it has', () => {
    const { set } = new LiveBench();
    const notFound = expect.objectContaining({ code: 'plan_not_found', details: { plan: 'p9' } });
    expect(() => set.get('p9')).toThrow(notFound);
    expect(() => set.remove('p9')).toThrow(notFound);
    expect(() => set.latest('p9', 'Speed')).toThrow(notFound);
    const bench = new LiveBench();
    bench.plan(message);
    expect(() => bench.plan(message)).toThrow(expect.objectContaining({ code: 'already_exists' }));
  });

  it('chooses signals by name in the plans that have them', () => {
    const bench = new LiveBench();
    const one = bench.plan(message);
    const other = bench.plan(message, { planId: 'p2', signals: ['Load'] });
    const { set } = bench;
    expect(set.choose(['p1', 'p2', 'p1'], null)).toEqual([
      { plan: one, signals: null },
      { plan: other, signals: null },
    ]);
    expect(set.choose(['p1', 'p2'], ['Speed'])).toEqual([{ plan: one, signals: ['Speed'] }]);
    expect(() => set.choose(['p2'], ['Speed'])).toThrow(
      expect.objectContaining({ code: 'signal_not_found' }),
    );
    expect(() => set.choose(['p3'], null)).toThrow(
      expect.objectContaining({ code: 'plan_not_found' }),
    );
  });

  it('counts the records that it was never offered, and gives each loss its place', () => {
    const bench = new LiveBench();
    bench.plan(message);
    bench.frame([1, 2]);
    bench.set.missed(0);
    expect([bench.set.missedRecords, bench.set.interruptedAt]).toEqual([0, 0]);
    bench.set.missed(500);
    bench.frame([1, 2]);
    bench.set.missed(7);
    expect([bench.set.missedRecords, bench.set.interruptedAt]).toEqual([507, 6]);
    expect(bench.set.latest('p1', 'Speed').sequence).toBe(4);
  });
});
