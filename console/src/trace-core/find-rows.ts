import { compileCondition } from '../../../src/condition/compile-condition.ts';
import type {
  ConditionContext,
  ConditionDatabase,
  ProtectedMessage,
} from '../../../src/condition/condition-context.ts';
import { ConditionRun } from '../../../src/condition/condition-run.ts';
import { parseCondition } from '../../../src/condition/parse-condition.ts';
import type { SignalReader } from '../../../src/condition/signal-test.ts';
import type { Message, Signal } from '../../../src/database/model.ts';
import { isFloat } from '../../../src/database/raw-span.ts';
import { busCode } from '../../../src/frame/frm2-layout.ts';
import { RawValues } from '../../../src/signal/raw-values.ts';
import { channelKey, channelOfKey } from '../../../src/trace/channel-key.ts';
import { TraceBatch } from '../../../src/trace/trace-batch.ts';
import type { DatabaseContent, DatabaseMessage, DatabaseSignal } from '../api/client.ts';
import { floatOf, integerOf } from '../codec/raw-value.ts';
import { activeSignals, readBits } from '../codec/signal-bits.ts';
import type { SeenChannel } from './channel-names.ts';
import { type RowPosition, rowsPerTurn } from './chunk-view.ts';
import { putRow } from './export-trace.ts';
import { droppedKind, gapKind } from './frame-chunk.ts';
import type { RowTest } from './frame-store.ts';
import type { GatewayMessage } from './message-names.ts';

/** What the names in a condition mean. */
export interface FindContext {
  readonly databases: readonly DatabaseContent[];
  readonly attached: readonly { readonly slot: number; readonly databases: readonly string[] }[];
  readonly channels: readonly SeenChannel[];
  readonly gateways: readonly GatewayMessage[];
}

export interface FoundRows {
  /** Serials of the rows that the filter shows, in order. */
  readonly serials: Float64Array;
  /** Rows that the filter hides. */
  readonly hidden: number;
  /** IDs with a checksum, and what their checksums are; null for a condition. */
  readonly checked: { readonly ids: number; readonly rules: readonly string[] } | null;
}

const field = 'condition';

const signalModel = (signal: DatabaseSignal): Signal => {
  const { name, length, kind, factor, offset, minimum, maximum, unit, receivers } = signal;
  const { multiplexing, ranges, array } = signal;
  return {
    ...{ name, length, kind, factor, offset, minimum, maximum, unit, receivers },
    startBit: signal.start_bit,
    byteOrder: signal.byte_order,
    isSwitch: signal.is_switch,
    multiplexing: multiplexing && {
      switch: multiplexing.switch,
      ranges: multiplexing.ranges.map(({ from, to }) => ({ from: BigInt(from), to: BigInt(to) })),
    },
    values: signal.values.map(({ raw, text }) => ({ raw: BigInt(raw), text })),
    ...(ranges && {
      ranges: ranges.map((range) => ({
        ...range,
        from: BigInt(range.from),
        to: BigInt(range.to),
      })),
    }),
    ...(array && { array }),
    ...{ initialRaw: null, comment: null, attributes: {} },
  };
};

const messageModel = (message: DatabaseMessage): Message => {
  const { name, id, extended, pgn, fd, brs, length, senders } = message;
  return {
    ...{ name, id, extended, fd, brs, length, senders, cycleTimeMs: message.cycle_time_ms },
    ...(pgn !== null && { pgn }),
    signals: message.signals.map(signalModel),
    ...{ comment: null, attributes: {} },
  };
};

/** Reads a signal bit by bit, since the content policy of the page forbids generated code. */
class PlainReader implements SignalReader {
  readonly values: RawValues;
  readonly #message: DatabaseMessage;
  readonly #signal: DatabaseSignal;

  constructor(model: Signal, message: DatabaseMessage, signal: DatabaseSignal) {
    this.values = new RawValues([model]);
    this.#message = message;
    this.#signal = signal;
  }

  read(view: DataView, at: number, length: number): boolean {
    const signal = this.#signal;
    const data = new Uint8Array(view.buffer, view.byteOffset + at, length);
    this.values.clear();
    const isActive =
      signal.multiplexing === null ||
      activeSignals(this.#message, (each) => readBits(data, each)).includes(signal);
    const pattern = isActive ? readBits(data, signal) : null;
    if (pattern === null) return false;
    this.values.set(0, isFloat(signal) ? floatOf(signal, pattern) : integerOf(signal, pattern));
    return true;
  }
}

const databaseOf = (
  { name, type, message_page }: DatabaseContent,
  onModel: (model: Message, message: DatabaseMessage) => void,
): ConditionDatabase => {
  const heads = message_page.map(({ name: own, id, extended, pgn }) => ({
    ...{ name: own, id, extended },
    ...(pgn !== null && { pgn }),
  }));
  const models = new Map<string, Message>();
  return {
    name,
    bus: type === 'ldf' ? 'lin' : 'can',
    heads,
    message: (head) => {
      const known = models.get(head.name);
      if (known) return known;
      const message = message_page[heads.findIndex((each) => each.name === head.name)];
      if (!message) throw new Error(`No message ${head.name}`);
      const model = messageModel(message);
      models.set(head.name, model);
      onModel(model, message);
      return model;
    },
  };
};

const protectedMessage = (
  gateways: readonly GatewayMessage[],
  instance: string,
  message: string,
): ProtectedMessage | string => {
  const own = gateways.filter((each) => each.instance === instance);
  if (own.length === 0) return `no running instance ${instance}`;
  const found = own.find(({ name }) => name === message);
  if (found?.protection?.direction !== 'check')
    return `no received message ${message} has an E2E check`;
  const { first_byte: start, length, settings: codec } = found.protection;
  if (codec === null) return `${message} is checked by a plugin`;
  const channels = [channelKey(found.slot, busCode.can)];
  return { channels, id: found.id, extended: found.extended, start, length, codec };
};

const contextOf = ({ databases, attached, channels, gateways }: FindContext): ConditionContext => {
  const messages = new Map<Message, DatabaseMessage>();
  const all = databases.map((content) =>
    databaseOf(content, (model, message) => messages.set(model, message)),
  );
  const named = new Map(all.map((database) => [database.name, database]));
  const labelsOf = (slot: number): readonly string[] => [
    String(slot),
    ...channels.flatMap((channel) => (channel.slot === slot ? channel.labels : [])),
  ];
  return {
    databases: all,
    // As messages are named: attached databases first, and others on CAN only.
    databasesOf: (key) => {
      const { channel, bus } = channelOfKey(key);
      const own = attached.find(({ slot }) => slot === channel)?.databases ?? [];
      const first = own.flatMap((name) => named.get(name) ?? []);
      const others = all.filter((each) => bus === 'can' && !first.includes(each));
      return [...first, ...others];
    },
    isChannel: (selector, key) => labelsOf(channelOfKey(key).channel).includes(selector),
    refuseChannel: (selector) =>
      channels.some(({ slot }) => labelsOf(slot).includes(selector))
        ? null
        : `no channel ${selector}`,
    protectedMessage: (instance, message) => protectedMessage(gateways, instance, message),
    newReader: (model, index) => {
      const message = messages.get(model);
      const signal = message?.signals[index];
      if (!message || !signal) throw new Error(`No definition of ${model.name}`);
      return new PlainReader(model.signals[index] as Signal, message, signal);
    },
  };
};

/**
 * Finds the rows at which a condition fires, among all rows: those that are not shown decide about
 * states, too. Fails if the condition is wrong.
 */
export const findRows = async (
  text: string,
  bench: FindContext,
  rows: Iterable<RowPosition>,
  isShown: RowTest | null,
  yieldToEvents: () => Promise<void>,
): Promise<FoundRows> => {
  const context = contextOf(bench);
  const compiled = compileCondition(parseCondition(text, field), field, context);
  const run = new ConditionRun(context, [compiled]);
  const batch = new TraceBatch(1);
  const serials: number[] = [];
  let startUs = Number.NaN;
  let hidden = 0;
  let read = 0;
  for (const place of rows) {
    const { chunk, row } = place;
    const us = chunk.timestampUs[row] as number;
    if (Number.isNaN(startUs)) startUs = us;
    read++;
    if (read % rowsPerTurn === 0) await yieldToEvents();
    if (chunk.kind[row] === gapKind) run.gap((us - startUs) * 1000);
    if (chunk.kind[row] === gapKind || chunk.kind[row] === droppedKind) continue;
    putRow(batch, place, startUs, chunk.channel[row] as number);
    if (!run.row(batch, 0)) continue;
    if (isShown === null || isShown(chunk, row)) serials.push(chunk.serial[row] as number);
    else hidden++;
  }
  return { serials: Float64Array.from(serials), hidden, checked: null };
};
/** In one chunk with the search, which checks frames with the same code. */
export { FrameChecks, isChecked } from './frame-checks.ts';
