import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { aMessage, aSignal } from '../testing/models.ts';
import { SampleHub } from './sample-hub.ts';
import { ListingSink } from './testing/listing-sink.ts';
import { LiveBench } from './testing/live-bench.ts';

const openHub = (history = 4) => {
  const bench = new LiveBench();
  const clock = new FakeClock();
  const defects: unknown[] = [];
  const hub = new SampleHub({
    plans: bench.set,
    clock,
    onDefect: (thrown) => defects.push(thrown),
  });
  bench.plan(aMessage([aSignal()]), { history });
  const follow = (sink = new ListingSink(), after: number | null = null) => {
    const choices = bench.set.choose(['p1'], null);
    return { sink, subscription: hub.subscribe({ choices, after, sink }) };
  };
  const frame = (value: number) => {
    bench.frame([value]);
    hub.wake();
  };
  return { bench, clock, hub, defects, follow, frame };
};

const samplesIn = (log: readonly string[]) => log.filter((line) => line.startsWith('p1'));

describe('SampleHub', () => {
  it('delivers the first sample at once and the next ones together', () => {
    const { clock, follow, frame } = openHub();
    const { sink } = follow();
    frame(1);
    expect(sink.take()).toEqual(['p1 1 Speed=1', 'flush']);
    frame(2);
    frame(3);
    expect(sink.take()).toEqual([]);
    clock.advanceUs(20_000);
    expect(sink.take()).toEqual(['p1 2 Speed=2', 'p1 3 Speed=3', 'flush']);
  });

  it('lets the clock rest when nothing comes', () => {
    const { clock, follow, frame } = openHub();
    const { sink, subscription } = follow();
    frame(1);
    clock.advanceUs(20_000);
    expect(clock.pendingTimers).toBe(0);
    frame(2);
    expect(samplesIn(sink.take())).toHaveLength(2);
    expect(clock.pendingTimers).toBe(1);
    subscription.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it('starts behind a cursor, and first tells one that has expired', () => {
    const { follow, frame } = openHub(3);
    for (let at = 1; at <= 6; at++) frame(at);
    expect(follow(undefined, 4).sink.take()).toEqual(['p1 5 Speed=5', 'p1 6 Speed=6', 'flush']);
    expect(follow(undefined, 2).sink.take()).toEqual([
      'gap 4..6 missed null',
      'p1 4 Speed=4',
      'p1 5 Speed=5',
      'p1 6 Speed=6',
      'flush',
    ]);
    expect(follow(undefined, 99).sink.take()[0]).toBe('gap 4..6 missed null');
    expect(follow(undefined, 0).sink.take()[0]).toBe('p1 4 Speed=4');
  });

  it('gives nothing to a stalled sink, and all that is left with one gap when it is back', () => {
    const { clock, follow, frame } = openHub(3);
    const { sink, subscription } = follow();
    sink.isReady = false;
    for (let at = 1; at <= 8; at++) frame(at);
    clock.advanceUs(1_000_000);
    expect([sink.take(), clock.pendingTimers]).toEqual([[], 0]);
    sink.isReady = true;
    subscription.resume();
    expect(sink.take()).toEqual([
      'gap 6..8 missed 5',
      'p1 6 Speed=6',
      'p1 7 Speed=7',
      'p1 8 Speed=8',
      'flush',
    ]);
  });

  it('tells at once that records were lost, even if nothing follows', () => {
    const { bench, hub, follow } = openHub();
    const { sink } = follow();
    bench.set.missed(10);
    hub.wake();
    expect(sink.take()).toEqual(['gap 2..1 missed null', 'flush']);
  });

  it('serves one that has much to fetch in turns with the others', () => {
    const { bench, clock, hub, follow, frame } = openHub(20_000);
    for (let at = 0; at < 12_000; at++) bench.frame([at]);
    const order: string[] = [];
    const listen = (name: string, after: number | null) => {
      const { sink } = follow(
        new (class extends ListingSink {
          override flush(): void {
            order.push(name);
          }
        })(),
        after,
      );
      return sink;
    };
    const slow = listen('backlog', 0);
    expect(slow.log.length).toBeLessThan(12_000);
    const live = listen('live', null);
    frame(1);
    clock.advanceUs(1_000);
    expect(live.log).toHaveLength(1);
    expect(slow.log.length).toBeLessThan(12_001);
    clock.advanceUs(20_000);
    expect(slow.log).toHaveLength(12_001);
    expect(order.lastIndexOf('backlog')).toBeGreaterThan(order.indexOf('live'));
    hub.close();
  });

  it('ends streams whose plans are gone, and keeps those that follow another one', () => {
    const { bench, hub, follow } = openHub();
    bench.plan(aMessage([aSignal()]), { planId: 'p2' });
    const { sink } = follow();
    const other = new ListingSink();
    hub.subscribe({ choices: bench.set.choose(['p1', 'p2'], null), after: null, sink: other });
    bench.set.remove('p1');
    expect([sink.take(), other.take(), hub.streams]).toEqual([['end plans_removed'], [], 1]);
    bench.set.clear();
    expect([other.take(), hub.streams]).toEqual([['end plans_removed'], 0]);
  });

  it('ends all streams when it is closed, and none that has left', () => {
    const { clock, hub, follow, frame } = openHub();
    const { sink } = follow();
    const left = follow();
    left.subscription.close();
    frame(1);
    hub.close();
    expect([sink.take(), left.sink.take()]).toEqual([
      ['p1 1 Speed=1', 'flush', 'end shut_down'],
      [],
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('closes an sink that throws and goes on with the others', () => {
    const { defects, hub, follow, frame } = openHub();
    const broken = new (class extends ListingSink {
      override item(): boolean {
        throw new Error('broken');
      }
    })();
    follow(broken);
    const { sink } = follow();
    frame(1);
    expect(broken.take()).toEqual(['end shut_down']);
    expect([samplesIn(sink.take()), hub.streams]).toEqual([['p1 1 Speed=1'], 1]);
    expect(defects).toEqual([expect.objectContaining({ message: 'broken' })]);
  });

  it('bears an sink that resumes and leaves from within its calls', () => {
    const { follow, frame } = openHub();
    const leaving = new (class extends ListingSink {
      leave = () => {};
      override item(...given: Parameters<ListingSink['item']>): boolean {
        this.leave();
        return super.item(...given);
      }
    })();
    const { subscription } = follow(leaving);
    leaving.leave = () => {
      subscription.resume();
      subscription.close();
    };
    const { sink } = follow();
    frame(1);
    frame(2);
    expect(leaving.take()).toEqual(['p1 1 Speed=1']);
    expect(samplesIn(sink.take())).toEqual(['p1 1 Speed=1']);
  });
});
