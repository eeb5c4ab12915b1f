import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { Mutex } from '../../base/mutex.ts';
import { nearestName } from '../../base/suggest.ts';
import type { MessageRecord } from '../../database/database-records.ts';
import { wholeMessage } from '../../database/message-page.ts';
import type { Message } from '../../database/model.ts';
import { type E2eRequest, e2eSettings } from '../../e2e/codec-fields.ts';
import { lengthError } from '../../frame/dlc.ts';
import { parseHex } from '../../frame/hex-bytes.ts';
import { MessageEncoder, type SignalTexts } from '../../signal/encode/message-encoder.ts';
import type { NamedMessage, NamedMessages } from '../../signal/service/named-messages.ts';
import { maxCycleUs } from '../send-request.ts';
import type { TaskChangeRequest } from '../tasks/task-change.ts';
import {
  type CounterRequest,
  checkedOwners,
  refuseOwned,
  type TaskSource,
} from '../tasks/task-source.ts';
import type { TxTaskRecord } from '../tasks/tx-task-record.ts';
import { minPeriodUs, type TxTaskRequest } from '../tasks/tx-task-request.ts';
import { type NameFields, namedIn, refusedMessage, refusingField } from './name-fields.ts';
import { namedFrame } from './named-frame.ts';
import { withoutNames } from './named-sends.ts';
import { framesOfSlaves } from './slave-frames.ts';

export interface NamedTaskRequest extends TxTaskRequest, NameFields {
  readonly counter?: CounterRequest | undefined;
  readonly e2e?: E2eRequest | undefined;
}

export interface SetRequest extends Omit<TaskChangeRequest, 'values'> {
  readonly task_id: string;
  readonly signals?: SignalTexts | undefined;
  readonly raw?: boolean | undefined;
}

export interface ImportRequest {
  readonly channel: string;
  readonly database: string;
  readonly node?: string | undefined;
}

export interface SimulationRequest {
  readonly channel: string;
  readonly nodes: readonly string[];
  readonly database?: string | undefined;
}

type SkipReason = 'no_cycle_time' | 'cycle_time_out_of_range' | 'too_long' | 'identifier_repeated';

export interface ImportRecord {
  readonly tasks: TxTaskRecord[];
  readonly skipped: { message: string; reason: SkipReason }[];
}

/** Tasks of the bench thread. */
export interface TaskBench<Caller> {
  sourceOf(taskId: string): Promise<TaskSource | null>;
  change(taskId: string, change: TaskChangeRequest): Promise<TxTaskRecord>;
  addAll(
    channel: string,
    requests: readonly TxTaskRequest[],
    caller: Caller,
  ): Promise<TxTaskRecord[]>;
}

interface NamedTasksOptions<Caller> {
  readonly messages: NamedMessages<Caller>;
  readonly bench: TaskBench<Caller>;
  readonly turns: Pick<YieldQueue, 'next'>;
}

const cycleUsOf = ({ cycleTimeMs }: Message): number | null =>
  cycleTimeMs === null ? null : Math.round(cycleTimeMs * 1000);

const skipReason = (message: Message): SkipReason | null => {
  const cycleUs = cycleUsOf(message);
  if (cycleUs === null) return 'no_cycle_time';
  if (cycleUs < minPeriodUs || cycleUs > maxCycleUs) return 'cycle_time_out_of_range';
  return lengthError(message.length, message.fd)?.reason === 'too_long' ? 'too_long' : null;
};

const noSuchNode = (node: string, database: string, messages: readonly Message[]) => {
  const nearest = nearestName(node, new Set(messages.flatMap(({ senders }) => senders)));
  const advice = nearest === null ? '' : `. Did you mean ${nearest}?`;
  return invalidArgument('node', `${node} sends no message of ${database}${advice}`, {
    reason: 'no_such_node',
    nearest,
  });
};

/** Signals in a list of tasks must leave room for the tasks themselves. */
const maxSignalBytes = 1024 * 1024;
const bytesPerSignal = 120;

const maxEncoders = 2048;

const maxMessageBytes = 1024 * 1024;

const sendsFrame = (field: string, taskId: string, advice: string): BusbarError =>
  invalidArgument(field, `${taskId} sends a frame without a name${advice}`, {
    reason: 'no_message',
  });

/**
 * Cyclic tasks by message name. They keep their own copy of the message, so changes of databases
 * do not concern them. The bench thread holds it, because tasks outlive this thread.
 */
export class NamedTasks<Caller extends { readonly signal?: AbortSignal }> {
  readonly #options: NamedTasksOptions<Caller>;
  readonly #encoders = new Map<string, MessageEncoder>();
  readonly #changes = new Mutex();

  constructor(options: NamedTasksOptions<Caller>) {
    this.#options = options;
  }

  /** Replaces a message by its frame and what later changes need; null for a task by frame. */
  async prepare(request: NamedTaskRequest, caller: Caller) {
    const { counter, e2e, ...rest } = request;
    const owner = counter ? 'counter' : e2e ? 'e2e' : null;
    const message = namedIn(request);
    if (message === undefined) {
      if (owner === null) return null;
      throw invalidArgument(owner, `${owner} applies to a task by name: give message`, {
        reason: 'needs_message',
      });
    }
    if (request.kind === 'lin_response' && owner !== null) {
      throw invalidArgument(owner, `A LIN response has no ${owner}`, { reason: 'not_in_response' });
    }
    const { channel, database } = request;
    const found = await this.#options.messages.find({ channel, message, database }, caller);
    if (found.isRead && request.kind !== 'lin_response') {
      throw invalidArgument('message', `A task cannot send ${message}, which slaves send`, {
        reason: 'sent_by_slave',
      });
    }
    const { type, ...named } = this.#request(found, request);
    // The master decides when a response is sent, so it has no type.
    const typed = request.kind === 'lin_response' ? named : { type, ...named };
    const cycle = this.#cycle(rest, found.encoder.message);
    return {
      request: { ...withoutNames(rest), ...cycle, ...typed },
      refused: (thrown: unknown) => refusedMessage(thrown, message),
    };
  }

  /** Adds the signals to records of the bench thread. */
  async shown(records: readonly TxTaskRecord[]): Promise<TxTaskRecord[]> {
    let left = maxSignalBytes;
    const shown: TxTaskRecord[] = [];
    for (const record of records) {
      const encoder = record.message === null ? null : await this.#encoderOf(record.task_id);
      left -= (encoder?.message.signals.length ?? 0) * bytesPerSignal;
      if (encoder === null || left < 0) {
        shown.push(record);
        continue;
      }
      const data = parseHex(record.data, { field: 'data', maxLength: 64 });
      shown.push({ ...record, signals: encoder.signalsOf(data) });
    }
    return shown;
  }

  /** The message as the task encodes it. */
  async message(taskId: string): Promise<MessageRecord> {
    const source = await this.#options.bench.sourceOf(taskId);
    if (source === null) throw sendsFrame('task_id', taskId, '');
    return wholeMessage(source.message, maxMessageBytes);
  }

  /** Call before a task is removed, because its message goes with it. */
  async keep(taskId: string): Promise<void> {
    await this.#encoderOf(taskId);
  }

  async removed(record: TxTaskRecord): Promise<TxTaskRecord> {
    const [shown = record] = await this.shown([record]);
    this.#encoders.delete(record.task_id);
    return shown;
  }

  /** Changes are made one after another, because each builds on the values of the last. */
  set({ task_id, signals, raw, ...change }: SetRequest): Promise<TxTaskRecord> {
    return this.#changes.take(async () => {
      if (signals === undefined && raw !== undefined) {
        throw invalidArgument('raw', 'raw applies to signals: give signals', {
          reason: 'needs_signals',
        });
      }
      const encoded = signals && (await this.#encoded(task_id, signals, raw, change.data));
      const record = await this.#options.bench.change(task_id, { ...change, ...encoded });
      const [shown = record] = await this.shown([record]);
      return shown;
    });
  }

  async addNode({ channel, database, node }: ImportRequest, caller: Caller): Promise<ImportRecord> {
    const { messages, bench, turns } = this.#options;
    const content = await messages.database(database, channel, caller);
    const all = content.heads.map((head) => content.message(head));
    const sent = all.filter(({ senders }) => node === undefined || senders.includes(node));
    if (node !== undefined && sent.length === 0) throw noSuchNode(node, database, all);
    const skipped: ImportRecord['skipped'] = [];
    const requests: TxTaskRequest[] = [];
    for (const message of sent) {
      await turns.next(caller.signal);
      const { id, extended, name } = message;
      const isRepeated = content.headOf(id, extended)?.name !== name;
      const reason = isRepeated ? 'identifier_repeated' : skipReason(message);
      if (reason !== null) {
        skipped.push({ message: message.name, reason });
        continue;
      }
      const task = this.#request(messages.named(content, message), {});
      const settings = { kind: 'cyclic', count: 0, pattern: 'fixed' } as const;
      requests.push({ channel, ...settings, period_us: cycleUsOf(message) as number, ...task });
    }
    const records = await refusingField('database', bench.addAll(channel, requests, caller));
    return { tasks: await this.shown(records), skipped };
  }

  /** Adds a response for every frame that the slaves publish. */
  async simulate(request: SimulationRequest, caller: Caller): Promise<TxTaskRecord[]> {
    const { messages, bench } = this.#options;
    const { channel, nodes, database } = request;
    const databases =
      database === undefined
        ? await messages.attached(channel, caller)
        : [await messages.database(database, channel, caller)];
    const { network, frames } = framesOfSlaves(nodes, databases);
    const requests = frames.map((message): TxTaskRequest => {
      const { type: _type, ...task } = this.#request(messages.named(network, message), {});
      return { channel, kind: 'lin_response', count: 0, pattern: 'fixed', ...task };
    });
    return this.shown(await refusingField('nodes', bench.addAll(channel, requests, caller)));
  }

  #request(found: NamedMessage, request: Omit<Partial<NamedTaskRequest>, 'channel'>) {
    const { encoder, isLin, database } = found;
    const { signals = {}, raw, counter, e2e } = request;
    const owners = checkedOwners(encoder, counter, e2e && e2eSettings(e2e));
    refuseOwned(encoder, owners, signals);
    const { data, values } = encoder.encode({ signals, raw });
    const { message } = encoder;
    const frame = namedFrame(message, data, { fill: encoder.fill, isLin });
    const { length } = message;
    const source: TaskSource = { database, message, isLin, values, length, ...owners };
    return { ...frame, source };
  }

  #cycle(
    { kind, period, period_us }: Pick<TxTaskRequest, 'kind' | 'period' | 'period_us'>,
    message: Message,
  ) {
    if (kind === 'lin_response' || period !== undefined || period_us !== undefined) return {};
    const cycleUs = cycleUsOf(message);
    if (cycleUs !== null) return { period_us: cycleUs };
    throw new BusbarError('missing_cycle', {
      message: `The database has no cycle time for ${message.name}`,
      details: { field: 'period_us', message: message.name },
      hint: 'Give period_us, or --period on the command line.',
    });
  }

  async #encoded(
    taskId: string,
    signals: SignalTexts,
    raw: boolean | undefined,
    data: string | undefined,
  ): Promise<Pick<TaskChangeRequest, 'data' | 'values'>> {
    const source = await this.#options.bench.sourceOf(taskId);
    if (source === null) throw sendsFrame('signals', taskId, ': change its data');
    if (data !== undefined) {
      throw invalidArgument('data', 'signals replace data: omit one of them', {
        reason: 'exclusive',
      });
    }
    const encoder = this.#adopt(taskId, source);
    refuseOwned(encoder, source, signals);
    const encoded = encoder.encode({ signals, raw, before: source.values });
    const { isLin } = source;
    const frame = namedFrame(source.message, encoded.data, { fill: encoder.fill, isLin });
    return { data: frame.data, values: encoded.values };
  }

  async #encoderOf(taskId: string): Promise<MessageEncoder | null> {
    const known = this.#encoders.get(taskId);
    if (known) return known;
    const source = await this.#options.bench.sourceOf(taskId).catch(() => null);
    return source && this.#adopt(taskId, source);
  }

  #adopt(taskId: string, { message, isLin }: TaskSource): MessageEncoder {
    const known = this.#encoders.get(taskId);
    if (known) return known;
    const encoder = new MessageEncoder(message, { isLin });
    // Tasks also end with their channel, which is not reported here.
    if (this.#encoders.size >= maxEncoders) this.#encoders.clear();
    this.#encoders.set(taskId, encoder);
    return encoder;
  }
}
