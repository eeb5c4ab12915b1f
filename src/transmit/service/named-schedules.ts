import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { Mutex } from '../../base/mutex.ts';
import { nearest, nearestName } from '../../base/suggest.ts';
import type { LinNetwork } from '../../database/lin-model.ts';
import type { Message } from '../../database/model.ts';
import type { AttachedDatabase } from '../../database/service/attached-database.ts';
import { parseHex } from '../../frame/hex-bytes.ts';
import { compileSchedule, faultOf } from '../../lin/compile-schedule.ts';
import type { SchedulePlan } from '../../lin/schedule-plan.ts';
import { MessageEncoder, type SignalTexts } from '../../signal/encode/message-encoder.ts';
import type { NamedMessages } from '../../signal/service/named-messages.ts';
import type { LinScheduleRecord } from '../lin/lin-schedule-record.ts';
import type {
  ScheduleChange,
  ScheduleSource,
  ScheduleStart,
  SetValues,
} from '../lin/lin-schedules.ts';

export interface StartRequest {
  readonly channel: string;
  readonly table: string;
  readonly database?: string | undefined;
}

export interface ChangeRequest {
  readonly schedule_id: string;
  readonly table?: string | undefined;
  readonly signals?: SignalTexts | undefined;
  readonly raw?: boolean | undefined;
}

/** Schedules of the bench thread. */
export interface ScheduleBench<Caller> {
  /** Rejects a channel on which no schedule can start. */
  check(channel: string, caller: Caller): Promise<void>;
  start(request: ScheduleStart, caller: Caller): Promise<LinScheduleRecord>;
  idOf(text: string, caller: Caller): Promise<string>;
  sourceOf(id: string): Promise<ScheduleSource>;
  change(id: string, change: ScheduleChange): Promise<LinScheduleRecord>;
  list(): Promise<readonly LinScheduleRecord[]>;
  stop(id: string): Promise<LinScheduleRecord>;
}

interface NamedSchedulesOptions<Caller> {
  readonly messages: NamedMessages<Caller>;
  readonly bench: ScheduleBench<Caller>;
}

interface LinDatabase {
  readonly database: AttachedDatabase;
  readonly lin: LinNetwork;
}

const maxKept = 64;

/** Signals in a list of schedules must leave room for the schedules themselves. */
const maxSignalBytes = 1024 * 1024;

const bytesOf = ({ signals }: LinScheduleRecord): number => JSON.stringify(signals).length;

const tableNames = (plan: SchedulePlan): string[] =>
  plan.tables.filter(({ isNamed }) => isNamed).map(({ name }) => name);

const tableNotFound = (
  table: string,
  known: readonly string[],
  more: object,
  who = 'No attached database has a',
): BusbarError =>
  new BusbarError('schedule_table_not_found', {
    message: `${who} schedule table ${table}`,
    details: { field: 'table', table, tables: known.slice(0, 64), ...more },
    ...hintOf(nearest(table, known)),
  });

const hintOf = (hint: string | undefined) => (hint === undefined ? {} : { hint });

/** The index of a table that can run. */
const runnable = (plan: SchedulePlan, table: string): number | null => {
  const index = plan.tables.findIndex(({ name, isNamed }) => isNamed && name === table);
  if (index < 0) return null;
  const fault = faultOf(plan, index);
  if (fault === null) return index;
  const { reason, message } = fault;
  throw invalidArgument('table', `${table} cannot run: ${message}`, { reason, table });
};

/**
 * LIN schedules by the names of an LDF. They keep their own copy of the network, so changes of
 * databases do not concern them.
 */
export class NamedSchedules<Caller> {
  readonly #options: NamedSchedulesOptions<Caller>;
  readonly #encoders = new Map<string, readonly MessageEncoder[]>();
  readonly #changes = new Mutex();

  constructor(options: NamedSchedulesOptions<Caller>) {
    this.#options = options;
  }

  async start(request: StartRequest, caller: Caller): Promise<LinScheduleRecord> {
    const { channel, table } = request;
    await this.#options.bench.check(channel, caller);
    const databases = await this.#databasesFor(request, caller);
    const found = databases.find(({ lin }) =>
      lin.scheduleTables.some(({ name }) => name === table),
    );
    if (found === undefined) {
      const known = databases.flatMap(({ lin }) => lin.scheduleTables.map(({ name }) => name));
      throw tableNotFound(table, known, { channel });
    }
    const source = this.#compile(found);
    const index = runnable(source.plan, table);
    if (index === null) throw tableNotFound(table, tableNames(source.plan), { channel });
    return this.#shown(await this.#options.bench.start({ channel, table: index, source }, caller));
  }

  async list(): Promise<LinScheduleRecord[]> {
    const records: LinScheduleRecord[] = [];
    let left = maxSignalBytes;
    for (const record of await this.#options.bench.list()) {
      const shown = await this.#shown(record, left);
      left -= bytesOf(shown);
      records.push(shown);
    }
    return records;
  }

  async stop(text: string, caller: Caller): Promise<LinScheduleRecord> {
    const { bench } = this.#options;
    const id = await bench.idOf(text, caller);
    // Its messages go with it.
    await this.#encodersOf(id);
    const record = await this.#shown(await bench.stop(id));
    this.#encoders.delete(id);
    return record;
  }

  /** Changes are made one after another, because each builds on the values of the last. */
  change({ schedule_id, ...request }: ChangeRequest, caller: Caller): Promise<LinScheduleRecord> {
    return this.#changes.take(async () => {
      const { bench } = this.#options;
      const { table, signals, raw } = request;
      if (signals === undefined && raw !== undefined) {
        throw invalidArgument('raw', 'raw applies to signals: give signals', {
          reason: 'needs_signals',
        });
      }
      if (table === undefined && signals === undefined) {
        throw invalidArgument('', 'Give table or signals', { reason: 'missing' });
      }
      const id = await bench.idOf(schedule_id, caller);
      const source = await bench.sourceOf(id);
      const index = table === undefined ? undefined : runnable(source.plan, table);
      if (index === null) {
        const who = `${source.database} has no`;
        throw tableNotFound(table ?? '', tableNames(source.plan), { schedule_id: id }, who);
      }
      const encoded = signals && (await this.#encoded(id, source, signals, raw));
      return this.#shown(await bench.change(id, { table: index, ...encoded }));
    });
  }

  async #databasesFor(
    { channel, database: name }: StartRequest,
    caller: Caller,
  ): Promise<readonly LinDatabase[]> {
    const { messages } = this.#options;
    const databases =
      name === undefined
        ? await messages.attached(channel, caller)
        : [await messages.database(name, channel, caller)];
    return databases.flatMap((database) =>
      database.lin === null ? [] : [{ database, lin: database.lin }],
    );
  }

  #compile({ database, lin }: LinDatabase): ScheduleSource {
    const messages = database.heads.map((head) => database.message(head));
    const encoderOf = (message: Message) => this.#options.messages.named(database, message).encoder;
    const plan = compileSchedule({
      lin,
      messages,
      dataOf: (message) => encoderOf(message).encode({ signals: {} }).data,
    });
    const byName = new Map(messages.map((message) => [message.name, message]));
    const published = plan.frames.flatMap(({ message }) => byName.get(message) ?? []);
    const own = new Set(published);
    return {
      database: database.name,
      plan,
      messages: published,
      signalsOfSlaves: [
        ...new Set(
          messages
            .filter((message) => !own.has(message))
            .flatMap(({ signals }) => signals.map(({ name }) => name)),
        ),
      ],
      values: {},
    };
  }

  async #encoded(
    id: string,
    source: ScheduleSource,
    signals: SignalTexts,
    raw: boolean | undefined,
  ): Promise<Required<Pick<ScheduleChange, 'frames' | 'values'>>> {
    const encoders = this.#adopt(id, source);
    for (const name of Object.keys(signals)) checkPublished(name, source);
    const frames: { frame: number; data: Uint8Array }[] = [];
    const values: Record<string, SignalTexts> = { ...source.values };
    encoders.forEach((encoder, frame) => {
      const { name, signals: own } = encoder.message;
      const names = new Set(own.map((signal) => signal.name));
      const given = Object.entries(signals).filter(([signal]) => names.has(signal));
      if (given.length === 0) return;
      const before = source.values[name];
      const encoded = encoder.encode({ signals: Object.fromEntries(given), raw, before });
      frames.push({ frame, data: encoded.data });
      values[name] = encoded.values;
    });
    return { frames, values: values as SetValues };
  }

  async #shown(record: LinScheduleRecord, room = maxSignalBytes): Promise<LinScheduleRecord> {
    const encoders = await this.#encodersOf(record.schedule_id);
    const seen = new Set<string>();
    const signals = record.frames.flatMap(({ data }, index) => {
      const encoder = encoders?.[index];
      if (encoder === undefined) return [];
      return encoder
        .signalsOf(parseHex(data, { field: 'data', maxLength: 8 }))
        .filter(({ signal }) => !seen.has(signal) && seen.add(signal));
    });
    const shown = { ...record, signals };
    return bytesOf(shown) > room ? record : shown;
  }

  async #encodersOf(id: string): Promise<readonly MessageEncoder[] | undefined> {
    const known = this.#encoders.get(id);
    if (known) return known;
    const source = await this.#options.bench.sourceOf(id).catch(() => undefined);
    return source && this.#adopt(id, source);
  }

  #adopt(id: string, { messages }: ScheduleSource): readonly MessageEncoder[] {
    const known = this.#encoders.get(id);
    if (known) return known;
    const [oldest] = this.#encoders.keys();
    if (this.#encoders.size >= maxKept && oldest !== undefined) this.#encoders.delete(oldest);
    const encoders = messages.map((message) => new MessageEncoder(message, { isLin: true }));
    this.#encoders.set(id, encoders);
    return encoders;
  }
}

/** Rejects signals of slaves, and those that the network does not have. */
const checkPublished = (
  name: string,
  { database, messages, signalsOfSlaves }: ScheduleSource,
): void => {
  const own = messages.flatMap(({ signals }) => signals.map((signal) => signal.name));
  if (own.includes(name)) return;
  const field = `signals.${name}`;
  if (signalsOfSlaves.includes(name)) {
    throw new BusbarError('signal_not_writable', {
      message: `A slave publishes ${name}, not the master`,
      details: { field, signal: name, owner: 'slave' },
      hint: 'busbar lin simulate publishes the responses of slaves.',
    });
  }
  const near = nearestName(name, own);
  throw new BusbarError('signal_not_found', {
    message: `${database} has no signal ${name}${near === null ? '' : `. Did you mean ${near}?`}`,
    details: { field, signal: name, nearest: near },
  });
};
