import { describe, expect, it } from 'vitest';
import { Doorbell } from './doorbell.ts';
import { RingReader } from './ring-reader.ts';
import { BenchOfRings } from './testing/bench-of-rings.ts';
import { Interruption } from './testing/interruption.ts';
import { Ledger } from './testing/ledger.ts';

const openBell = () => {
  const bench = new BenchOfRings();
  const channel = bench.open(0, 64);
  const other = bench.open(1, 64);
  const bell = new Doorbell(bench.memory, bench.broker.claimReader());
  const reader = new RingReader({ memory: bench.memory, ring: channel.ring });
  const isArmed = ({ ring }: typeof channel): boolean =>
    Atomics.load(bench.memory.words, bench.memory.wakeMaskOf(ring.writer)) !== 0;
  return { bench, channel, other, bell, reader, isArmed };
};

describe('Doorbell', () => {
  it('is rung by the first record of a writer that was asked, and only once', () => {
    const { channel, other, bell, reader, isArmed } = openBell();
    bell.arm(reader.writers);
    other.publish(3);
    expect(bell.block(0)).toBe(false);
    expect([isArmed(channel), isArmed(other)]).toEqual([true, false]);
    channel.publish(1);
    expect(bell.block(0)).toBe(true);
    expect(isArmed(channel)).toBe(false);
    bell.arm(0);
    channel.publish(1);
    expect(bell.block(0)).toBe(false);
  });

  it('asks several writers and takes it back from all of them', () => {
    const { channel, other, bell, isArmed } = openBell();
    bell.arm((1 << channel.ring.writer) | (1 << other.ring.writer));
    expect([isArmed(channel), isArmed(other)]).toEqual([true, true]);
    bell.disarm();
    expect([isArmed(channel), isArmed(other)]).toEqual([false, false]);
  });

  it('leaves the other readers of a writer asleep or awake as they are', () => {
    const { bench, channel, bell, reader } = openBell();
    const second = new Doorbell(bench.memory, bench.broker.claimReader());
    bell.arm(reader.writers);
    second.arm(reader.writers);
    bell.disarm();
    channel.publish(1);
    expect([bell.block(0), second.block(0)]).toEqual([false, true]);
  });

  it('is not slept through, at whatever step a record comes', () => {
    const passed: boolean[] = [];
    for (let step = 0, isPast = false; !isPast; step++) {
      const { channel, bell, reader } = openBell();
      const ledger = new Ledger();
      const publication = new Interruption(step, () => channel.publish(1));
      publication.during(() => {
        if (reader.pass(ledger) > 0) return;
        bell.arm(reader.writers);
        reader.pass(ledger);
      });
      isPast = !publication.happened;
      if (isPast) channel.publish(1);
      passed.push(ledger.delivered === 1 || bell.block(0));
    }
    expect(passed.length).toBeGreaterThan(5);
    expect(passed).not.toContain(false);
  });

  it('wakes a reader whose writer died before it could', () => {
    const { bench, channel, bell, reader } = openBell();
    bell.arm(reader.writers);
    channel.writer.reserve();
    bench.broker.recoverWriter(channel.ring.writer);
    expect(bell.block(0)).toBe(true);
  });

  it('calls back on the event loop when rung', async () => {
    const { channel, bell, reader } = openBell();
    bell.arm(reader.writers);
    const rung = new Promise<void>((resolve) => bell.sleep(resolve));
    channel.publish(1);
    await rung;
  });

  it('calls back when it was rung before it slept', async () => {
    const { channel, bell, reader } = openBell();
    bell.arm(reader.writers);
    channel.publish(1);
    await new Promise<void>((resolve) => bell.sleep(resolve));
  });

  it('calls nobody that has disarmed, and the one that slept last', async () => {
    const { channel, bell, reader } = openBell();
    const calls: string[] = [];
    bell.arm(reader.writers);
    bell.sleep(() => calls.push('disarmed'));
    bell.disarm();
    bell.arm(reader.writers);
    const rung = new Promise<void>((resolve) => {
      bell.sleep(() => {
        calls.push('second');
        resolve();
      });
    });
    channel.publish(1);
    await rung;
    expect(calls).toEqual(['second']);
  });

  it('can be rung by its own side', async () => {
    const { bell } = openBell();
    bell.arm(0);
    const rung = new Promise<void>((resolve) => bell.sleep(resolve));
    bell.ring();
    await rung;
  });
});
