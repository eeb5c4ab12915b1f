import { ImageReader } from '../image/image-reader.ts';
import { SignalSnapshot } from '../image/signal-snapshot.ts';
import { TaskPage } from '../image/task-page.ts';
import { warningMessages } from '../project/warnings.ts';
import type { GatewayInstance, GatewayTask } from './instance-record.ts';
import type { SharedInstance } from './instance-registry.ts';

/** Maximum endpoints in one response. Further ones are only counted. */
const maxEndpoints = 256;

const neverSent = { code: 'never_sent', message: warningMessages.never_sent } as const;

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

  taskPage(offset: number, limit: number): TaskPage {
    const count = Math.min(limit, Math.max(0, this.taskCount - offset));
    return new TaskPage(this.#instance.image, offset, count);
  }

  summary(page: TaskPage, taskOffset: number, count: number): Omit<GatewayInstance, 'tasks'> {
    const { name, projectId, file, loadedAtUs, state, chargedBytes, daemonBytes } = this.#instance;
    const { endpointCount } = this.reader;
    return {
      instance: name,
      state,
      health: this.#isDegraded(page) ? 'degraded' : 'ok',
      project_id: projectId,
      file,
      loaded_at_us: loadedAtUs,
      failed_tasks: page.failedTasks,
      failed_checks: page.failedChecks,
      failed_check_messages: page.failedCheckMessages,
      ...page.totals,
      ...page.polls,
      rejected_frames: page.rejectedFrames,
      memory_budget_bytes: chargedBytes,
      daemon_memory_budget_bytes: daemonBytes,
      endpoint_total: endpointCount,
      task_total: this.taskCount,
      task_offset: taskOffset,
      task_next_offset: page.first + count,
      endpoints: Array.from({ length: Math.min(endpointCount, maxEndpoints) }, (_, index) =>
        this.#endpoint(index),
      ),
    };
  }

  *tasks(page: TaskPage): Generator<GatewayTask> {
    const { first, count } = page;
    for (let place = 0; place < count; place++) yield this.#task(first + place, page.task(place));
  }

  signals(offset: number, limit: number): SignalSnapshot {
    return new SignalSnapshot(this.#instance.image, this.reader, offset, limit);
  }

  #isDegraded({ failedTasks, failedChecks }: TaskPage): boolean {
    const { state, endpoints } = this.#instance;
    const isDown = state === 'running' && endpoints.some(({ connected }) => !connected);
    return failedTasks + failedChecks > 0 || isDown;
  }

  #endpoint(index: number): GatewayInstance['endpoints'][number] {
    const nowhere = { resolved: null, connected: false, error: null };
    return { ...this.reader.endpoint(index), ...(this.#instance.endpoints[index] ?? nowhere) };
  }

  #task(index: number, counts: ReturnType<TaskPage['task']>): GatewayTask {
    const { id, kind, policy, mode, periodMs, neverSends } = this.reader.task(index);
    const { state } = this.#instance;
    const { error, ...counted } = counts;
    const warning = neverSends ? neverSent : null;
    return { id, kind, policy, mode, period_ms: periodMs, state, error, warning, ...counted };
  }
}
