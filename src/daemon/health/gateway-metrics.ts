import { instanceLimits } from '../../gateway/instances/budget.ts';
import { instanceStatus } from '../../gateway/instances/instance-pages.ts';
import {
  type GatewayInstance,
  type GatewayTask,
  instanceStates,
} from '../../gateway/instances/instance-record.ts';
import type { SharedInstance } from '../../gateway/instances/instance-registry.ts';
import { type TaskCounter, taskCounterNames } from '../../gateway/values/task-counters.ts';
import type { MetricRegistry } from '../../web/metrics/registry.ts';

/** Counters that can decrease. */
const gauges: readonly TaskCounter[] = ['pending', 'queued_requests'];

/** Tasks per instance with their own metrics: the first ones. A project may have thousands. */
export const tasksWithMetrics = 50;

const help: Readonly<Record<TaskCounter, string>> = {
  accepted: 'Transmissions that the transport took',
  sent: 'Transmissions whose completion was observed',
  failed: 'Accepted transmissions that failed',
  pending: 'Accepted transmissions without an outcome yet',
  unconfirmed: 'Accepted transmissions that will have no outcome',
  coalesced: 'States that were replaced before they were accepted',
  queued_requests: 'Requests of processors that wait',
  cancelled_requests: 'Requests of processors that were given up',
  processor_rejected_requests: 'Requests of processors that were refused',
  late: 'Periods that began more than a millisecond late',
  missed: 'Whole periods that were skipped',
  generated: 'Frames built by protection',
  injected: 'Frames changed by fault rules',
  unprotected: 'Frames that bypassed protection',
  dropped: 'Frames dropped by fault rules',
  repeated: 'Frames repeated by fault rules',
  suppressed: 'Frames suppressed by fault rules',
  fault_conflicts: 'Opportunities at which fault rules excluded each other',
};

type TaskMetric = readonly [
  name: string,
  help: string,
  type: 'counter' | 'gauge',
  value: (task: GatewayTask) => number,
];

const taskMetrics: readonly TaskMetric[] = [
  ['sent_total', help.sent, 'counter', ({ sent }) => sent],
  ['failed_total', help.failed, 'counter', ({ failed }) => failed],
  ['missed_total', help.missed, 'counter', ({ missed }) => missed],
  ['late_total', help.late, 'counter', ({ late }) => late],
  ['error', 'Whether the task has an error', 'gauge', ({ error }) => (error === null ? 0 : 1)],
];

/** Prometheus metrics of gateway instances. */
export class GatewayMetrics {
  readonly #registry: MetricRegistry;
  /** Including tasks with their own metrics. */
  #records: readonly GatewayInstance[] = [];

  constructor(registry: MetricRegistry) {
    this.#registry = registry;
    registry.observed({
      name: 'busbar_gateway_state',
      help: 'Always 1; the label tells the state that the instance is in',
      type: 'gauge',
      labels: { instance: 'open', state: instanceStates },
      read: (report) => {
        for (const { instance, state } of this.#records) report(1, { instance, state });
      },
    });
    this.#observe(
      'healthy',
      'Whether no task, check and endpoint is at fault',
      'gauge',
      ({ health }) => (health === 'ok' ? 1 : 0),
    );
    this.#observe('tasks', 'Tasks of the instance', 'gauge', ({ task_total }) => task_total);
    this.#observe('failed_tasks', 'Tasks with an error', 'gauge', (record) => record.failed_tasks);
    this.#observe(
      'failed_checks',
      'Messages whose end-to-end check fails while their frames arrive',
      'gauge',
      (record) => record.failed_checks,
    );
    this.#observe(
      'memory_budget_bytes',
      'Charged for the instance',
      'gauge',
      (record) => record.memory_budget_bytes,
    );
    for (const name of taskCounterNames) {
      const isGauge = gauges.includes(name);
      const suffix = isGauge ? name : `${name}_total`;
      this.#observe(suffix, help[name], isGauge ? 'gauge' : 'counter', (record) => record[name]);
    }
    this.#observe(
      'poll_coalesced_total',
      'Polled values that were replaced before they were used',
      'counter',
      (record) => record.poll_coalesced,
    );
    this.#observe(
      'poll_missed_total',
      'Polls that were skipped',
      'counter',
      (record) => record.poll_missed,
    );
    this.#observeRejected();
    for (const metric of taskMetrics) this.#observeTasks(metric);
  }

  /** Instances of the next rendering. */
  show(instances: readonly SharedInstance[]): void {
    this.#records = instances.map((instance) => instanceStatus(instance, tasksWithMetrics));
  }

  #observe(
    name: string,
    description: string,
    type: 'counter' | 'gauge',
    value: (record: GatewayInstance) => number,
  ): void {
    this.#registry.observed({
      name: `busbar_gateway_${name}`,
      help: description,
      type,
      labels: { instance: 'open' },
      read: (report) => {
        for (const record of this.#records) report(value(record), { instance: record.instance });
      },
    });
  }

  #observeRejected(): void {
    this.#registry.observed({
      name: 'busbar_gateway_rejected_frames_total',
      help: 'Received frames that were no observations',
      type: 'counter',
      labels: { instance: 'open', reason: ['remote', 'short', 'e2e'] },
      read: (report) => {
        for (const { instance, rejected_frames } of this.#records) {
          for (const [reason, frames] of Object.entries(rejected_frames)) {
            report(frames, { instance, reason });
          }
        }
      },
    });
  }

  #observeTasks([name, description, type, value]: TaskMetric): void {
    this.#registry.observed({
      name: `busbar_gateway_task_${name}`,
      help: `${description}; of the first ${tasksWithMetrics} tasks of each instance`,
      type,
      labels: { instance: 'open', task: 'open' },
      maxSeries: instanceLimits.instances * tasksWithMetrics + 1,
      read: (report) => {
        for (const { instance, tasks } of this.#records) {
          for (const task of tasks) report(value(task), { instance, task: task.id });
        }
      },
    });
  }
}
