import type { Channel } from '../../../bench/channel.ts';
import { refusalOf } from '../../../bench/testing/table-rig.ts';
import { DatabaseStore } from '../../../database/database-store.ts';
import { AttachedDatabase } from '../../../database/service/attached-database.ts';
import { packDatabase } from '../../../database/service/packed-database.ts';
import { NamedMessages } from '../../../signal/service/named-messages.ts';
import type { ScheduleStart } from '../../lin/lin-schedules.ts';
import { Sender } from '../../sender.ts';
import { TransmitRig } from '../../testing/transmit-rig.ts';
import { type ChangeRequest, NamedSchedules, type StartRequest } from '../named-schedules.ts';
import { NamedTasks } from '../named-tasks.ts';

export const attachedLdf = (text: string, name = 'doors'): AttachedDatabase => {
  const store = new DatabaseStore(1, () => 0);
  store.load({ name, file: `${name}.ldf`, bytes: new TextEncoder().encode(text) });
  return new AttachedDatabase(packDatabase(name, store.databaseOf(name)));
};

/** A caller of this test has no signal to cancel it. */
type Caller = object;

/** Schedules by name on the virtual bench, whose port 4 is the master. */
export class LinRig extends TransmitRig {
  readonly databases: AttachedDatabase[] = [];
  readonly sender = new Sender({ clock: this.clock, scheduler: this.scheduler });
  readonly #messages = new NamedMessages<Caller>({
    slotOf: async () => 0,
    attachedTo: () => this.databases,
    contents: async () => this.databases[0] as AttachedDatabase,
  });
  readonly schedules = this.newSchedules();
  readonly tasks = new NamedTasks<Caller>({
    messages: this.#messages,
    bench: {
      sourceOf: async (id) => this.txTasks.sourceOf(id),
      change: async (id, change) => this.txTasks.change(id, change),
      addAll: (channel, requests) => this.txTasks.addAll(channel, requests, this.benchSource),
    },
    turns: { next: async () => {} },
  });

  /** As a client thread that was started again. */
  newSchedules(): NamedSchedules<Caller> {
    return new NamedSchedules<Caller>({
      messages: this.#messages,
      bench: {
        check: (channel) => this.linSchedules.check(channel, this.benchSource),
        // As between threads: plain data arrives as a copy.
        start: (request: ScheduleStart) =>
          this.linSchedules.start(structuredClone(request), this.benchSource),
        idOf: (text) => this.linSchedules.idOf(text, this.benchSource),
        sourceOf: async (id) => structuredClone(this.linSchedules.sourceOf(id)),
        change: async (id, change) => this.linSchedules.change(id, structuredClone(change)),
        list: async () => this.linSchedules.list(),
        stop: async (id) => this.linSchedules.stop(id),
      },
    });
  }

  attach(text: string): void {
    this.databases.push(attachedLdf(text));
  }

  openNode(
    port: number,
    lin: Partial<NonNullable<Channel['hardware']['settings']['lin']>> = {},
  ): Promise<Channel> {
    return this.open(port, { lin: { role: port === 4 ? 'master' : 'slave', ...lin } });
  }

  startTable(table: string, more: Partial<StartRequest> = {}) {
    return this.schedules.start({ channel: 'SIM00001/4', table, ...more }, {});
  }

  refusedStart(table: string, more: Partial<StartRequest> = {}) {
    return refusalOf(this.startTable(table, more));
  }

  change(change: Omit<ChangeRequest, 'schedule_id'>) {
    return this.schedules.change({ schedule_id: 'SIM00001/4', ...change }, {});
  }

  async record() {
    const [record] = await this.schedules.list();
    if (!record) throw new RangeError('No schedule is running');
    return record;
  }

  /** Frames that a channel received since the start of the test, as "time id data". */
  heard(channel: Channel): string[] {
    return this.received(channel).map(({ atUs, id, data }) => `${atUs} ${id} ${data}`);
  }
}
