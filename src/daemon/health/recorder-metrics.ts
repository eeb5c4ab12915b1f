import type { MetricRegistry } from '../../web/metrics/registry.ts';
import type { RecorderReport } from './reports.ts';

type RecorderMetric = readonly [
  name: string,
  help: string,
  value: (report: RecorderReport) => number,
];

const counters: readonly RecorderMetric[] = [
  ['frames', 'Events recorded since the recorder was started', ({ frames }) => frames],
  ['bytes', 'Bytes written since the recorder was started', ({ bytes }) => bytes],
  ['gaps', 'Gaps since the recorder was started', ({ gaps }) => gaps],
  ['missed', 'Events lost in those gaps', ({ missed }) => missed],
];

export class RecorderMetrics {
  #reports: readonly RecorderReport[] = [];

  constructor(registry: MetricRegistry) {
    registry.observed({
      name: 'busbar_recorder_state',
      help: 'Always 1; the label contains the state of the recorder',
      type: 'gauge',
      labels: { recorder: 'open', state: ['idle', 'armed', 'running', 'waiting', 'failed'] },
      read: (report) => {
        for (const { name, state } of this.#reports) report(1, { recorder: name, state });
      },
    });
    for (const [name, help, value] of counters) {
      registry.observed({
        name: `busbar_recorder_${name}_total`,
        help,
        type: 'counter',
        labels: { recorder: 'open' },
        read: (report) => {
          for (const each of this.#reports) report(value(each), { recorder: each.name });
        },
      });
    }
  }

  show(reports: readonly RecorderReport[]): void {
    this.#reports = reports;
  }
}
