import { ImageReader } from '../image/image-reader.ts';
import { SignalSnapshot } from '../image/signal-snapshot.ts';
import { taskCounterNames } from '../values/task-counters.ts';
import type { GatewayInstance, GatewayTask, Timing } from './instance-record.ts';
import type { SharedInstance } from './instance-registry.ts';

/** Endpoints in one answer; the rest is counted. */
const mostEndpoints = 256;

const noTiming: Timing = { count: 0, max: 0, window: 0, p50: 0, p95: 0, p99: 0 };

/** Nothing was sent before the first start. */
const noCounts = Object.fromEntries(taskCounterNames.map((name) => [name, 0])) as Record<
  (typeof taskCounterNames)[number],
  number
>;

/** An instance as answers tell it, read from its shared tables. */
export class InstanceView {
  readonly reader: ImageReader;
  readonly #instance: SharedInstance;

  constructor(instance: SharedInstance) {
    this.#instance = instance;
    this.reader = new ImageReader(instance.image);
  }

  get taskCount(): number {
    return this.reader.taskCount;
  }

  get signalCount(): number {
    return this.reader.signalCount;
  }

  /** Everything but its tasks. */
  summary(daemonBytes: number): Omit<GatewayInstance, `task${string}`> {
    const { name, file, state, chargedBytes, image } = this.#instance;
    const { endpointCount } = this.reader;
    return {
      instance: name,
      project_id: image.projectId,
      file,
      state,
      health: 'ok',
      failed_tasks: 0,
      ...noCounts,
      poll_coalesced: 0,
      poll_missed: 0,
      rejected_frames: { remote: 0, short: 0, e2e: 0 },
      memory_budget_bytes: chargedBytes,
      daemon_memory_budget_bytes: daemonBytes,
      endpoint_total: endpointCount,
      endpoints: Array.from({ length: Math.min(endpointCount, mostEndpoints) }, (_, index) =>
        this.#endpoint(index),
      ),
    };
  }

  /** Some of the tasks, one after another. */
  *tasks(offset: number, limit: number): Generator<GatewayTask> {
    const end = Math.min(offset + limit, this.taskCount);
    for (let index = offset; index < end; index++) yield this.#task(index);
  }

  signals(offset: number, limit: number): SignalSnapshot {
    return new SignalSnapshot(this.#instance.image, this.reader, offset, limit);
  }

  #endpoint(index: number): GatewayInstance['endpoints'][number] {
    return { ...this.reader.endpoint(index), resolved: null, connected: false, error: null };
  }

  #task(index: number): GatewayTask {
    const { id, kind, policy, mode, periodMs } = this.reader.task(index);
    return {
      id,
      kind,
      policy,
      mode,
      period_ms: periodMs,
      state: this.#instance.state,
      error: null,
      ...noCounts,
      last_lateness_us: 0,
      max_lateness_us: 0,
      source_age_at_submit_us: noTiming,
      tick_to_submit_us: noTiming,
      completion_wait_us: noTiming,
      queue_wait_us: noTiming,
      protocol_wait_us: noTiming,
    };
  }
}
