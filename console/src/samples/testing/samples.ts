import type { SignalSample } from '../../api/client.ts';
import { SampleSeries } from '../sample-series.ts';

export const aSample = (sequence: number, changes: Partial<SignalSample> = {}): SignalSample => ({
  sequence,
  plan_id: 'plan-1',
  signal: 'EngineSpeed',
  value: String(sequence),
  raw: String(sequence),
  label: null,
  unit: 'rpm',
  valid: true,
  timestamp_us: sequence * 1000,
  event_id: sequence,
  mux: null,
  source_address: null,
  ...changes,
});

/** A series with one sample per value, a millisecond apart, starting at 1 ms. */
export const aSeries = (
  values: readonly (number | string | null)[],
  limit?: number,
): SampleSeries => {
  const series = new SampleSeries(limit);
  series.bind('plan-1');
  for (const [index, value] of values.entries()) {
    series.take(aSample(index + 1, { value: value === null ? null : String(value) }));
  }
  return series;
};
