import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FrameListener } from '../../bench/bench-sink.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import type { OffloadedCyclic } from '../../drivers/can-offload.ts';
import type { LinControl, PortControl } from '../../drivers/driver-channel.ts';
import { type Frame, frameFlags } from '../../frame/frame.ts';
import { frm2Id } from '../../frame/frm2-codec.ts';
import { lastErrorOf } from '../last-error.ts';
import { cannotOffload, mayOffload } from '../offload-request.ts';
import { checkInService } from '../selected-channel.ts';
import { refusedBy, sendFailure } from '../send-failures.ts';
import type { CyclicTasks } from './cyclic-tasks.ts';
import { OwnedBits } from './owned-bits.ts';
import { type TaskChangeRequest, taskChange } from './task-change.ts';
import type { TaskSource } from './task-source.ts';
import type { TaskChange, TaskProgress, TaskWork } from './task-work.ts';
import { TxTask } from './tx-task.ts';
import type { TxTaskRecord } from './tx-task-record.ts';
import {
  type CyclicSettings,
  checkResponse,
  cyclicPlan,
  respondingChannel,
  type TxTaskRequest,
  taskFrame,
} from './tx-task-request.ts';

class OffloadedTask implements TaskWork {
  readonly #job: OffloadedCyclic;

  constructor(job: OffloadedCyclic) {
    this.#job = job;
  }

  progress(): TaskProgress {
    const { isFinished, sent, failed, lastRefusal } = this.#job;
    return {
      state: isFinished ? 'finished' : 'running',
      offloaded: true,
      sent,
      failed,
      // A device that does not report failures does not report missed times either.
      missed: failed === null ? null : 0,
      lateness_us: null,
      last_error: lastErrorOf(lastRefusal),
    };
  }

  stop(): void {
    this.#job.stop();
  }
}

interface RespondingChannel {
  readonly hardware: LinControl;
  onSent(listener: FrameListener): () => void;
}

class ResponseTask implements TaskWork {
  readonly #hardware: LinControl;
  readonly #frame: Frame;
  readonly #stopCounting: () => void;
  #data: Uint8Array;
  #isPaused = false;
  #sent = 0;

  constructor(channel: RespondingChannel, frame: Frame) {
    this.#hardware = channel.hardware;
    this.#frame = frame;
    this.#data = frame.data;
    this.#stopCounting = channel.onSent((record, at) => {
      if (frm2Id(record, at) === frame.id) this.#sent += 1;
    });
    this.restore();
  }

  get data(): Uint8Array {
    return this.#data;
  }

  restore(): void {
    if (this.#isPaused) return;
    const { id } = this.#frame;
    const data = this.#data;
    this.#hardware.setResponse(id, frameFlags(this.#frame), data, 0, data.length);
  }

  change({ data, isEnabled }: TaskChange): void {
    if (data) this.#data = data;
    if (isEnabled !== undefined) this.#isPaused = !isEnabled;
    if (this.#isPaused) this.#hardware.clearResponse(this.#frame.id);
    else this.restore();
  }

  progress(): TaskProgress {
    return {
      state: this.#isPaused ? 'paused' : 'running',
      offloaded: true,
      // A master's own frames look the same as its response.
      sent: this.#hardware.settings.lin?.role === 'master' ? null : this.#sent,
      failed: 0,
      missed: 0,
      lateness_us: null,
      last_error: null,
    };
  }

  stop(): void {
    this.#stopCounting();
    this.#hardware.clearResponse(this.#frame.id);
  }
}

const startedJob = (
  frame: Frame,
  { pattern, periodUs, count }: CyclicSettings,
  hardware: PortControl,
): OffloadedCyclic | undefined => {
  if (hardware.bus === 'lin' || pattern !== 'fixed') return undefined;
  const { id, dlc, data } = frame;
  const flags = frameFlags(frame);
  return hardware.offload?.startCyclic({ id, flags, dlc, data, periodUs, count });
};

const offloadedTask = (
  frame: Frame,
  plan: CyclicSettings,
  hardware: PortControl,
  isNamed: boolean,
): TaskWork | undefined => {
  if (isNamed) return undefined;
  const offload = hardware.bus === 'lin' ? undefined : hardware.offload;
  if (!mayOffload(plan.offload, offload)) return undefined;
  const job = startedJob(frame, plan, hardware);
  if (!job && plan.offload) throw cannotOffload('send these frames');
  return job && new OffloadedTask(job);
};

const responseTask = (channel: RespondingChannel, frame: Frame): TaskWork =>
  new ResponseTask(channel, frame);

interface PreparedTask {
  readonly frame: Frame;
  readonly plan: CyclicSettings | undefined;
  readonly source: TaskSource | undefined;
  readonly begin: (seed: number, offsetUs: number) => TaskWork;
}

/** Names the message in an error about one of many. */
const ofMessage = <Result>({ source }: TxTaskRequest, run: () => Result): Result => {
  try {
    return run();
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    const message = source?.message.name;
    throw error.with({
      message: `${message}: ${error.message}`,
      details: { ...error.details, message },
    });
  }
};

/** Spreads tasks of equal periods evenly over their period. */
export const spreadOffsets = (periods: readonly number[]): number[] => {
  const counts = new Map<number, number>();
  for (const period of periods) counts.set(period, (counts.get(period) ?? 0) + 1);
  const used = new Map<number, number>();
  return periods.map((period) => {
    const place = used.get(period) ?? 0;
    used.set(period, place + 1);
    return Math.floor((period * place) / (counts.get(period) ?? 1));
  });
};

export interface TxTasksOptions {
  readonly clock: Clock;
  readonly cyclic: CyclicTasks;
  readonly channels: Pick<ChannelTable, 'use'>;
  readonly capacity: number;
  /** A schedule that sends headers on a channel. */
  readonly scheduleOn?: (slot: number) => string | undefined;
}

/** Cyclic frames and LIN responses, each until removed or its channel closes. */
export class TxTasks {
  readonly #options: TxTasksOptions;
  readonly #tasks = new Map<string, TxTask>();
  #added = 0;

  constructor(options: TxTasksOptions) {
    this.#options = options;
  }

  async add(request: TxTaskRequest, bench: BenchSource): Promise<TxTaskRecord> {
    const found = await this.#options.channels.use(request.channel, bench);
    try {
      const prepared = this.#prepare(found, request);
      this.#checkCapacity(1);
      return this.#list(found, prepared).record();
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  /** Adds all tasks, or none. Their first frames are spread over their periods. */
  async addAll(
    channel: string,
    requests: readonly TxTaskRequest[],
    bench: BenchSource,
  ): Promise<TxTaskRecord[]> {
    const found = await this.#options.channels.use(channel, bench);
    const started: TxTask[] = [];
    try {
      checkInService(found);
      const prepared = requests.map((request) =>
        ofMessage(request, () => this.#prepare(found, request)),
      );
      this.#checkCapacity(prepared.length);
      const offsets = spreadOffsets(prepared.map(({ plan }) => plan?.periodUs ?? 0));
      prepared.forEach((task, index) => {
        started.push(this.#list(found, task, offsets[index]));
      });
      return started.map((task) => task.record());
    } catch (thrown) {
      for (const task of started) this.#end(task);
      throw sendFailure(thrown, found);
    }
  }

  /** What a thread needs to encode the next frame of a task by name; null for a task by frame. */
  sourceOf(taskId: string): TaskSource | null {
    return this.#get(taskId).source ?? null;
  }

  /** All changes take effect in the next frame, or none does. */
  change(taskId: string, request: TaskChangeRequest): TxTaskRecord {
    const task = this.#get(taskId);
    const change = taskChange(request, task);
    task.work.change?.(change);
    if (change.data) task.data = change.data;
    if (task.source && request.values) task.source = { ...task.source, values: request.values };
    return task.record();
  }

  /** A cyclic task that sends, or can resume, on a LIN channel. */
  headersOn(slot: number): string | undefined {
    for (const task of this.#tasks.values()) {
      if (task.slot !== slot || task.isResponse) continue;
      if (task.work.progress().state !== 'finished') return task.id;
    }
    return undefined;
  }

  list(): TxTaskRecord[] {
    return [...this.#tasks.values()].map((task) => task.record());
  }

  remove(taskId: string): TxTaskRecord {
    const task = this.#get(taskId);
    this.#end(task);
    return task.record();
  }

  /** Called after a replay that can have replaced responses on this channel. */
  restoreResponses(slot: number): void {
    for (const task of this.#tasks.values()) if (task.slot === slot) task.restore();
  }

  /** Checks everything about a task before it starts. */
  #prepare(found: FoundChannel, request: TxTaskRequest): PreparedTask {
    const { channel } = found;
    const { hardware } = channel;
    checkInService(found);
    if (hardware.settings.mode === 'listen_only') throw refusedBy('listen_only', 'channel');
    const responding = respondingChannel(request, hardware);
    const frame = taskFrame(request, hardware);
    const { source } = request;
    if (responding) {
      this.#checkNewResponse(request, channel, frame);
      const onSent = (reported: FrameListener) => channel.onSent(reported);
      const begin = () => responseTask({ hardware: responding, onSent }, frame);
      return { frame, plan: undefined, source, begin };
    }
    const plan = cyclicPlan(request, frame, hardware);
    this.#checkUnscheduled(found);
    const owned = source && (source.counter || source.e2e) ? new OwnedBits(source) : undefined;
    const begin = (seed: number, offsetUs: number) =>
      offloadedTask(frame, plan, hardware, source !== undefined) ??
      this.#options.cyclic.start(channel, { frame, plan, seed, owned }, offsetUs);
    return { frame, plan, source, begin };
  }

  #list(found: FoundChannel, { begin, ...parts }: PreparedTask, offsetUs = 0): TxTask {
    const number = this.#added + 1;
    const work = begin(number, offsetUs);
    this.#added = number;
    const createdAtUs = this.#options.clock.unixUs();
    const task = new TxTask({ id: `task-${number}`, found, ...parts, work, createdAtUs });
    this.#tasks.set(task.id, task);
    task.onClosed(() => this.#end(task));
    return task;
  }

  #get(taskId: string): TxTask {
    const task = this.#tasks.get(taskId);
    if (task) return task;
    throw new BusbarError('task_not_found', {
      message: `No such transmit task: ${taskId}`,
      details: { task_id: taskId },
    });
  }

  #end(task: TxTask): void {
    this.#tasks.delete(task.id);
    task.stop();
  }

  #checkNewResponse(request: TxTaskRequest, { slot }: Channel, { id }: Frame): void {
    checkResponse(request);
    for (const task of this.#tasks.values()) {
      if (!task.isResponse || task.slot !== slot || task.frame.id !== id) continue;
      throw new BusbarError('already_exists', {
        message: `Task ${task.id} already responds to identifier ${id}`,
        details: { field: 'id', id, task_id: task.id },
      });
    }
  }

  #checkUnscheduled({ channel, text }: FoundChannel): void {
    const schedule = this.#options.scheduleOn?.(channel.slot);
    if (schedule === undefined) return;
    throw new BusbarError('busy', {
      message: `Schedule ${schedule} sends the headers on ${text}`,
      details: { field: 'channel', schedule_id: schedule },
      hint: `busbar lin schedule stop ${text} ends it.`,
    });
  }

  #checkCapacity(wanted: number): void {
    const { capacity } = this.#options;
    if (this.#tasks.size + wanted <= capacity) return;
    throw new BusbarError('capacity_exceeded', {
      message: `At most ${capacity} transmit tasks can exist`,
      details: { limit: capacity },
    });
  }
}
