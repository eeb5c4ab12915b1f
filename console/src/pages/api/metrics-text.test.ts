import { describe, expect, it } from 'vitest';
import { keyOfSample, matchesMetric, parseMetrics, withChanges } from './metrics-text.ts';

const text = `# HELP busbar_requests_total Requests so far
# TYPE busbar_requests_total counter
busbar_requests_total{method="GET",route="/api/v1/channels/{selector}"} 12
# HELP busbar_duration_seconds How long it took
# TYPE busbar_duration_seconds histogram
busbar_duration_seconds_bucket{le="+Inf"} 3
busbar_duration_seconds_sum 0.25
busbar_up 1
busbar_stamped 2 1700000000000
busbar_odd NaN
this is no metric
`;

describe('the text of metrics', () => {
  it('gives every figure with its labels, type and description', () => {
    expect(parseMetrics(text)[0]).toEqual({
      name: 'busbar_requests_total',
      labels: 'method="GET",route="/api/v1/channels/{selector}"',
      value: 12,
      type: 'counter',
      help: 'Requests so far',
    });
  });

  it('knows the parts of a histogram as such', () => {
    const [, bucket, sum] = parseMetrics(text);
    expect([bucket?.type, sum?.type, sum?.value]).toEqual(['histogram', 'histogram', 0.25]);
  });

  it('takes figures without description, with a time, and without a number', () => {
    const [, , , up, stamped, odd, ...rest] = parseMetrics(text);
    expect([up?.type, stamped?.value, odd?.value]).toEqual(['untyped', 2, Number.NaN]);
    expect(rest).toEqual([]);
  });

  it('tells how far each figure went since the reading before', () => {
    const samples = parseMetrics(text);
    const before = new Map([[keyOfSample(samples[0] as (typeof samples)[0]), 10]]);
    const [first, second] = withChanges(samples, before);
    expect([first?.change, second?.change]).toEqual([2, null]);
  });

  it('is filtered by words of name, labels and description', () => {
    const found = parseMetrics(text).filter((sample) => matchesMetric(sample, 'requests get so'));
    expect(found).toHaveLength(1);
  });
});
