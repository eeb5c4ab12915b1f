import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewaySignal } from '../api/schema.ts';

const entry = (value: string, observed_us = 5): GatewaySignal => ({
  id: 'speed',
  type: 'float64',
  producer: 'input',
  unit: 'km/h',
  value,
  label: null,
  valid: true,
  quality: 'good',
  observed_us,
  error: null,
  bindings: [],
});

const setUp = async () => {
  const { FollowedInstance } = await import('./followed-instance.ts');
  const { InstanceSamples } = await import('./plotted-signals.ts');
  const { choiceOfInstance } = await import('../samples/signal-choices.ts');
  const { seriesOf } = await import('../samples/signals-state.ts');
  const instance = new FollowedInstance('car');
  const series = seriesOf(choiceOfInstance('car', 'speed', 0));
  return { instance, samples: new InstanceSamples(instance), series };
};

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('location', { host: 'bench:8080', hash: '' });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('document', { documentElement: { dataset: {} }, addEventListener: () => {} });
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  return () => vi.unstubAllGlobals();
});

describe('signals of an instance in the plot', () => {
  it('take each change once, and the same value where it was observed again', async () => {
    const { instance, samples, series } = await setUp();
    instance.signals.take([entry('10')], 0);
    samples.take(['speed', 'none']);
    samples.take(['speed']);
    expect([series.length, series.latest?.unit]).toEqual([1, 'km/h']);
    instance.signals.takeTimes(0, [9]);
    samples.take(['speed']);
    instance.signals.take([entry('11', 12)], 0);
    samples.take(['speed']);
    expect([0, 1, 2].map((at) => [series.timeAt(at), series.valueAt(at)])).toEqual([
      [5, 10],
      [9, 10],
      [12, 11],
    ]);
  });

  it('are stale and have a gap where the stream broke', async () => {
    const { instance, samples, series } = await setUp();
    instance.signals.take([entry('10')], 0);
    samples.take(['speed']);
    samples.break(['speed']);
    expect(series.isStale).toBe(true);
    instance.signals.take([entry('12', 20)], 0);
    samples.take(['speed']);
    expect([series.isStale, series.followsGapAt(1)]).toEqual([false, true]);
  });
});
