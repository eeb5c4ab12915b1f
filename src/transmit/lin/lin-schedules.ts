import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { durationRecord } from '../../base/schedule/duration-record.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import type { Message } from '../../database/model.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import type { DiagnosticSlots } from '../../lin/diagnostic-slots.ts';
import type { SchedulePlan } from '../../lin/schedule-plan.ts';
import { checkInService, selectedChannel } from '../selected-channel.ts';
import { refusedBy, sendFailure } from '../send-failures.ts';
import type { LinScheduleRecord } from './lin-schedule-record.ts';
import { ScheduleRun } from './schedule-run.ts';

/** Raw values that were set, by message and signal. */
export type SetValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What another thread needs to change a schedule. It outlives the database. */
export interface ScheduleSource {
  readonly database: string;
  readonly plan: SchedulePlan;
  /** Messages of the plan's frames, in their order. */
  readonly messages: readonly Message[];
  readonly signalsOfSlaves: readonly string[];
  readonly values: SetValues;
}

export interface ScheduleStart {
  readonly channel: string;
  readonly table: number;
  readonly source: ScheduleSource;
}

export interface ScheduleChange {
  readonly table?: number | undefined;
  readonly frames?: readonly { readonly frame: number; readonly data: Uint8Array }[] | undefined;
  readonly values?: SetValues | undefined;
}

interface RunningSchedule {
  readonly id: string;
  readonly found: FoundChannel;
  readonly run: ScheduleRun;
  source: ScheduleSource;
  readonly createdAtUs: number;
  readonly stopListening: () => void;
}

export interface LinSchedulesOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly channels: Pick<ChannelTable, 'use'>;
  /** A cyclic task that sends headers on a channel. */
  readonly taskOn: (slot: number) => string | undefined;
}

const checkMaster = ({ channel, text }: FoundChannel): void => {
  const { hardware } = channel;
  if (hardware.bus !== 'lin') {
    throw invalidArgument('channel', `${text} is a ${hardware.bus} channel, not LIN`, {
      reason: 'not_on_bus',
      bus: hardware.bus,
    });
  }
  const result = hardware.check();
  if (result !== 'accepted' && result !== 'full') throw refusedBy(result, 'channel');
};

/** Schedules of LIN masters, at most one for each channel. They end with their channel. */
export class LinSchedules {
  readonly #options: LinSchedulesOptions;
  readonly #schedules = new Map<number, RunningSchedule>();
  #started = 0;

  constructor(options: LinSchedulesOptions) {
    this.#options = options;
  }

  async start({ channel, table, source }: ScheduleStart, bench: BenchSource) {
    const found = await this.#freeMaster(channel, bench);
    try {
      return this.#list(found, table, source);
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  /** Rejects a channel on which no schedule can start. */
  async check(channel: string, bench: BenchSource): Promise<void> {
    await this.#freeMaster(channel, bench);
  }

  /** A schedule by its ID, or by the selector of its channel. */
  async idOf(text: string, bench: BenchSource): Promise<string> {
    for (const { id } of this.#schedules.values()) if (id === text) return id;
    if (isScheduleId(text)) throw noSuchSchedule(text);
    const { channel } = await this.#options.channels.use(text, bench);
    const schedule = this.#schedules.get(channel.slot);
    if (schedule) return schedule.id;
    throw noSuchSchedule(text);
  }

  sourceOf(id: string): ScheduleSource {
    return this.#get(id).source;
  }

  /** ID of the schedule of a channel. */
  on(slot: number): string | undefined {
    return this.#schedules.get(slot)?.id;
  }

  /** Diagnostic slots of the schedule of a channel. */
  diagnosticsOn(slot: number): DiagnosticSlots | undefined {
    return this.#schedules.get(slot)?.run.diagnostics;
  }

  /** All signals change together, in the next frames. */
  change(id: string, { table, frames, values }: ScheduleChange): LinScheduleRecord {
    const schedule = this.#get(id);
    if (table !== undefined) schedule.run.machine.switchTo(table);
    for (const { frame, data } of frames ?? []) schedule.run.change(frame, data);
    if (values) schedule.source = { ...schedule.source, values };
    return this.#record(schedule);
  }

  list(): LinScheduleRecord[] {
    return [...this.#schedules.values()].map((schedule) => this.#record(schedule));
  }

  stop(id: string): LinScheduleRecord {
    const schedule = this.#get(id);
    const record = this.#record(schedule);
    this.#end(schedule);
    return record;
  }

  async #freeMaster(text: string, bench: BenchSource): Promise<FoundChannel> {
    const found = await this.#options.channels.use(text, bench);
    try {
      checkInService(found);
      checkMaster(found);
      this.#checkFree(found);
      return found;
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  #checkFree({ channel, text }: FoundChannel): void {
    const running = this.#schedules.get(channel.slot);
    if (running) {
      throw new BusbarError('already_running', {
        message: `Schedule ${running.id} is running on ${text}`,
        details: { schedule_id: running.id },
        hint: `busbar lin schedule switch ${text} --table=<table> changes its table.`,
      });
    }
    const task = this.#options.taskOn(channel.slot);
    if (task === undefined) return;
    throw new BusbarError('busy', {
      message: `Task ${task} sends headers on ${text}`,
      details: { field: 'channel', task_id: task },
      hint: `busbar tx-task remove ${task} ends it.`,
    });
  }

  #list(found: FoundChannel, table: number, source: ScheduleSource): LinScheduleRecord {
    const { clock, scheduler } = this.#options;
    const { channel } = found;
    const run = new ScheduleRun({ channel, plan: source.plan, table, clock, scheduler });
    this.#started += 1;
    const schedule: RunningSchedule = {
      id: `schedule-${this.#started}`,
      found,
      run,
      source,
      createdAtUs: clock.unixUs(),
      stopListening: channel.onInterrupted((why) => {
        if (why === 'closed') this.#end(schedule);
      }),
    };
    this.#schedules.set(channel.slot, schedule);
    return this.#record(schedule);
  }

  #get(id: string): RunningSchedule {
    for (const schedule of this.#schedules.values()) if (schedule.id === id) return schedule;
    throw noSuchSchedule(id);
  }

  #end(schedule: RunningSchedule): void {
    this.#schedules.delete(schedule.found.channel.slot);
    schedule.stopListening();
    schedule.run.stop();
  }

  #record({ id, found, run, source, createdAtUs }: RunningSchedule): LinScheduleRecord {
    const { machine } = run;
    const { plan } = source;
    const nameOf = (table: number) => plan.tables[table]?.name ?? '';
    const nameOrNull = (table: number | null) => (table === null ? null : nameOf(table));
    return {
      schedule_id: id,
      ...selectedChannel(found),
      database: source.database,
      table: nameOf(machine.table),
      next_table: nameOrNull(machine.nextTable),
      collision_table: nameOrNull(machine.collisionTable),
      cycles: machine.cycles,
      sent: run.sent,
      failed: run.failed,
      missed: machine.missed,
      empty: run.empty,
      unanswered: run.unanswered,
      invalid: run.invalid,
      collisions: machine.collisions,
      lateness_us: durationRecord(run.lateness.summary()),
      last_error: run.lastError,
      frames: plan.frames.map(({ message, id: frameId }, index) => ({
        message,
        id: frameId,
        data: formatHex(run.frames[index]?.data ?? new Uint8Array(0)),
        changed: machine.hasChanged(index),
      })),
      signals: null,
      created_at_us: createdAtUs,
    };
  }
}

const isScheduleId = (text: string): boolean => /^schedule-\d+$/.test(text);

const noSuchSchedule = (id: string): BusbarError =>
  new BusbarError('schedule_not_found', {
    message: `No LIN schedule ${isScheduleId(id) ? id : `runs on ${id}`}`,
    details: { schedule_id: id },
  });
