import type { ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { Channel } from '../../bench/channel.ts';
import { refusalOf, TableRig } from '../../bench/testing/table-rig.ts';
import type { Frm2Event } from '../../frame/frm2-event.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import { LinSchedules } from '../lin/lin-schedules.ts';
import type { RouteRecord } from '../routes/route-record.ts';
import type { RouteOptions } from '../routes/route-request.ts';
import { Routes } from '../routes/routes.ts';
import { CyclicTasks } from '../tasks/cyclic-tasks.ts';
import type { TxTaskRecord } from '../tasks/tx-task-record.ts';
import type { TxTaskRequest } from '../tasks/tx-task-request.ts';
import { TxTasks } from '../tasks/tx-tasks.ts';

/** A frame as a channel received it. */
export interface ReceivedFrame {
  readonly atUs: number;
  readonly id: number;
  readonly data: string;
}

/** The device of this channel supports no offloading. */
export const withoutOffload = (channel: Channel): Channel => {
  Object.defineProperty(channel.hardware, 'offload', { value: undefined });
  return channel;
};

const endless = { kind: 'cyclic', count: 0, pattern: 'fixed' } as const;

/** A request for a task, endless by default. */
type GivenTask = Omit<TxTaskRequest, keyof typeof endless> & Partial<TxTaskRequest>;

/** Transmit tasks and routes on the virtual bench, with a clock controlled by the test. */
export class TransmitRig extends TableRig {
  readonly startUs = this.clock.monotonicUs();
  readonly #unixStartUs = this.clock.unixUs();
  readonly cyclic = new CyclicTasks(this.clock, this.scheduler);
  readonly txTasks: TxTasks = new TxTasks({
    clock: this.clock,
    cyclic: this.cyclic,
    channels: this.table,
    capacity: 1024,
    scheduleOn: (slot) => this.linSchedules.on(slot),
  });
  readonly linSchedules: LinSchedules = new LinSchedules({
    clock: this.clock,
    scheduler: this.scheduler,
    channels: this.table,
    taskOn: (slot) => this.txTasks.headersOn(slot),
  });
  readonly routes = new Routes({ clock: this.clock, channels: this.table, capacity: 64 });

  addTask(request: GivenTask): Promise<TxTaskRecord> {
    return this.txTasks.add({ ...endless, ...request }, this.benchSource);
  }

  refusedTask(request: GivenTask): Promise<ErrorRecord> {
    return refusalOf(this.addTask(request));
  }

  task(taskId: string): TxTaskRecord {
    const record = this.txTasks.list().find(({ task_id }) => task_id === taskId);
    if (!record) throw new RangeError(`${taskId} does not exist`);
    return record;
  }

  addRoute(request: RouteOptions): Promise<RouteRecord> {
    return this.routes.add(request, this.benchSource);
  }

  refusedRoute(request: RouteOptions): Promise<ErrorRecord> {
    return refusalOf(this.addRoute(request));
  }

  /** Valid frames received by a channel, with times since the start of the test. */
  received({ slot }: Channel): ReceivedFrame[] {
    return this.#good(slot)
      .filter(({ kind }) => kind === 'rx_frame')
      .map(({ timestampUs, id, data }) => ({
        atUs: timestampUs - this.#unixStartUs,
        id,
        data: formatHex(data),
      }));
  }

  close({ selector }: Channel): Promise<unknown> {
    return this.table.close(selector, this.benchSource);
  }

  #good(slot: number): Frm2Event[] {
    return this.records(slot).filter(({ status }) => status === 0);
  }
}
