import { describe, expect, it } from 'vitest';
import { MetricRegistry } from '../metrics/registry.ts';
import { RequestMetrics } from './request-metrics.ts';

const setUp = () => {
  const registry = new MetricRegistry();
  const metrics = new RequestMetrics(registry, ['/api/v1/jobs', '/api/v1/jobs/{job_id}']);
  const samples = (): string[] =>
    registry
      .render()
      .split('\n')
      .filter((line) => line.startsWith('busbar_http_requests_total{'));
  return { registry, metrics, samples };
};

describe('RequestMetrics', () => {
  it('counts requests by method, route and status', () => {
    const { metrics, samples } = setUp();
    metrics.completed('GET', '/api/v1/jobs', 200, 100);
    metrics.completed('GET', '/api/v1/jobs', 200, 100);
    metrics.completed('GET', '/api/v1/jobs', 401, 100);
    metrics.completed('HEAD', '/api/v1/jobs/{job_id}', 404, 100);
    expect(samples()).toEqual([
      'busbar_http_requests_total{method="GET",route="/api/v1/jobs",status="200"} 2',
      'busbar_http_requests_total{method="GET",route="/api/v1/jobs",status="401"} 1',
      'busbar_http_requests_total{method="HEAD",route="/api/v1/jobs/{job_id}",status="404"} 1',
    ]);
    expect(metrics.count).toBe(4);
  });

  it('does not let clients make up series', () => {
    const { metrics, samples } = setUp();
    for (let n = 0; n < 100; n++) metrics.completed(`X${n}`, null, 404, 1);
    metrics.completed('GET', '/api/v1/jobs/7', 404, 1);
    expect(samples()).toEqual([
      'busbar_http_requests_total{method="GET",route="other",status="404"} 1',
      'busbar_http_requests_total{method="other",route="none",status="404"} 100',
    ]);
    expect(metrics.count).toBe(101);
  });

  it('measures how long requests took, in seconds', () => {
    const { registry, metrics } = setUp();
    for (const durationUs of [400, 600, 30_000, 10_000_000]) {
      metrics.completed('GET', '/api/v1/jobs', 200, durationUs);
    }
    const text = registry.render();
    const bucket = (le: string): string =>
      `busbar_http_request_duration_seconds_bucket{route="/api/v1/jobs",le="${le}"}`;
    expect(text).toContain(`${bucket('0.0005')} 1\n`);
    expect(text).toContain(`${bucket('0.001')} 2\n`);
    expect(text).toContain(`${bucket('0.05')} 3\n`);
    expect(text).toContain(`${bucket('5')} 3\n`);
    expect(text).toContain(`${bucket('+Inf')} 4\n`);
    expect(text).toContain(
      'busbar_http_request_duration_seconds_sum{route="/api/v1/jobs"} 10.031\n',
    );
  });
});
