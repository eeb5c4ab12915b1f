import { describe, expect, it } from 'vitest';
import { MetricRegistry } from '../../web/metrics/registry.ts';
import { RecorderMetrics } from './recorder-metrics.ts';
import type { RecorderReport } from './reports.ts';

const report = (change: Partial<RecorderReport>): RecorderReport => ({
  name: 'night',
  state: 'running',
  frames: 0,
  bytes: 0,
  gaps: 0,
  missed: 0,
  error: null,
  field: null,
  message: null,
  ...change,
});

describe('metrics of recorders', () => {
  it('have the state and the losses of each', () => {
    const registry = new MetricRegistry();
    const metrics = new RecorderMetrics(registry);
    expect(registry.render()).toContain('# TYPE busbar_recorder_missed_total counter\n');
    expect(registry.render()).not.toContain('recorder=');
    metrics.show([
      report({ name: 'logging', state: 'idle', frames: 4, bytes: 900 }),
      report({ state: 'waiting', gaps: 2, missed: 812 }),
    ]);
    const lines = registry.render().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'busbar_recorder_state{recorder="logging",state="idle"} 1',
        'busbar_recorder_state{recorder="night",state="waiting"} 1',
        'busbar_recorder_frames_total{recorder="logging"} 4',
        'busbar_recorder_bytes_total{recorder="logging"} 900',
        'busbar_recorder_gaps_total{recorder="night"} 2',
        'busbar_recorder_missed_total{recorder="night"} 812',
      ]),
    );
  });
});
