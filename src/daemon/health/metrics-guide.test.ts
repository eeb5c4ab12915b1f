import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RequestMetrics } from '../../web/http/request-metrics.ts';
import { MetricRegistry } from '../../web/metrics/registry.ts';
import type { WebService } from '../../web/web-service.ts';
import { DaemonMetrics } from './daemon-metrics.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import { RecorderMetrics } from './recorder-metrics.ts';

const guide = readFileSync(new URL('../../../docs/guides/monitoring.md', import.meta.url), 'utf8');

/** Names in the first cell of the table; `<counter>` means any of several. */
const documented = [...guide.matchAll(/^\| (`busbar_[^|]+)\|/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
  .map(([, name = '']) => name);

const web = { status: () => ({ state: 'running' }), clients: 0, logRecordsDropped: 0 };

const declared = (): string[] => {
  const registry = new MetricRegistry();
  new RequestMetrics(registry, []);
  new DaemonMetrics(registry, web as unknown as WebService);
  new GatewayMetrics(registry);
  new RecorderMetrics(registry);
  return [...registry.render().matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
};

const patternOf = (name: string): RegExp => new RegExp(`^${name.replace('<counter>', '\\w+')}$`);

describe('the guide to monitoring', () => {
  it('lists every metric', () => {
    const patterns = documented.map(patternOf);
    const missing = declared().filter((name) => !patterns.some((pattern) => pattern.test(name)));
    expect(missing).toEqual([]);
  });

  it('lists none that there is not', () => {
    const names = declared();
    const unknown = documented.filter((name) => !names.some((one) => patternOf(name).test(one)));
    expect(documented).not.toEqual([]);
    expect(unknown).toEqual([]);
  });
});
