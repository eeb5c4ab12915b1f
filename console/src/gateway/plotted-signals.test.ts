import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayInstance, GatewaySignal } from '../api/client.ts';
import { stubPage } from '../api/testing/stub-page.ts';

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
  binding_total: 0,
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

class SilentWorker {
  readonly port = { postMessage: () => {}, addEventListener: () => {}, close: () => {} };
}

beforeEach(() => {
  stubPage();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  vi.stubGlobal('SharedWorker', SilentWorker);
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

  it.each(['derived', 'software', 'constant'] as const)(
    'have the time of their change where they are %s, and hold until the next one',
    async (producer) => {
      vi.useFakeTimers({ now: 1000 });
      const { instance, samples, series } = await setUp();
      const reported = (value: string) => [{ ...entry(value), producer }];
      instance.signals.take(reported('10'), 0);
      samples.take(['speed']);
      vi.setSystemTime(3000);
      // Its inputs were observed again, with the same result.
      instance.signals.takeTimes(0, [9]);
      samples.take(['speed']);
      instance.signals.take(reported('11'), 0);
      samples.take(['speed']);
      vi.setSystemTime(4000);
      samples.end(['speed']);
      vi.setSystemTime(6000);
      samples.take(['speed']);
      vi.useRealTimers();
      expect(series.isHeld).toBe(true);
      expect(
        Array.from({ length: series.length }, (_, at) => [
          series.timeAt(at) / 1000,
          series.valueAt(at),
          series.followsGapAt(at),
        ]),
      ).toEqual([
        [1000, 10, false],
        [3000, 11, false],
        [4000, 11, false],
        [6000, 11, true],
      ]);
    },
  );

  it('are taken anew where a held line was cleared, and stale while the instance does not run', async () => {
    const { instance, samples, series } = await setUp();
    instance.signals.take([{ ...entry('10'), producer: 'software' }], 0);
    samples.take(['speed']);
    series.clear();
    samples.take(['speed']);
    expect([series.length, series.isStale]).toEqual([1, false]);
    vi.spyOn(instance, 'state', 'get').mockReturnValue('live');
    const reported = (state: string) => ({ state }) as GatewayInstance;
    instance.status.value = reported('stopped');
    samples.break(['speed']);
    samples.take(['speed']);
    expect(series.isStale).toBe(true);
    instance.status.value = reported('running');
    samples.take(['speed']);
    expect(series.isStale).toBe(false);
  });

  it('are a part of what the plot does, and stop with it', async () => {
    await setUp();
    const { togglePlotted } = await import('./plotted-signals.ts');
    const { feed, instanceStates, plotState } = await import('../samples/signals-state.ts');
    expect(plotState.value).toBe('idle');
    togglePlotted('car', entry('10'));
    expect(plotState.value).toBe('connecting');
    instanceStates.value = new Map([['car', 'live']]);
    expect(plotState.value).toBe('live');
    feed.stop();
    expect([plotState.value, instanceStates.value.size]).toEqual(['stopped', 0]);
    feed.start();
    expect(plotState.value).toBe('connecting');
    feed.stop();
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
