import type { MessageHead } from '../../database/message-index.ts';
import type { AttachedDatabase } from '../../database/service/attached-database.ts';
import { type DecodeRecord, maxDecodedText, signalTextSize } from '../../frame/decoded-frame.ts';
import type { DecodedFrame, DecodedSignal } from '../../frame/event-record.ts';
import {
  frm2Channel,
  frm2EventId,
  frm2Flags,
  frm2Id,
  frm2PayloadLength,
  frm2Status,
} from '../../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import type { LongRecords } from '../../frame/long-record.ts';
import { compileDecoder, type MessageDecoder } from '../compile-decoder.ts';
import { decodableSignals } from '../decodable-signals.ts';
import type { RawValues } from '../raw-values.ts';
import { SampleText } from '../sample-text.ts';

/** Databases by channel, as `ChannelDatabases` has them. */
export interface DatabasesByChannel {
  of(slot: number): readonly AttachedDatabase[];
}

/** Signals of compiled messages that are kept. Frames of a hostile bus must not fill the memory. */
const maxKept = 65_536;

const unknown: DecodedFrame = { message: null, signals: [] };

class CompiledMessage {
  readonly name: string;
  readonly size: number;
  readonly #decoder: MessageDecoder | null;
  readonly #values: RawValues | null;
  readonly #texts: SampleText;

  constructor(database: AttachedDatabase, head: MessageHead) {
    const message = database.message(head);
    this.name = message.name;
    const wanted = message.signals.map(({ name }) => name);
    const names = new Set(decodableSignals(message, wanted).names);
    const selection = [...message.signals.keys()].filter((index) =>
      names.has(message.signals[index]?.name ?? ''),
    );
    this.size = 1 + selection.length;
    this.#decoder = selection.length > 0 ? compileDecoder(message, selection) : null;
    this.#values = this.#decoder?.newValues() ?? null;
    this.#texts = new SampleText(this.#decoder?.signals ?? []);
  }

  decode(record: DataView, at: number, length: number): DecodedFrame {
    const signals: DecodedSignal[] = [];
    if (this.#decoder && this.#values) {
      const values = this.#values;
      this.#decoder.decode(record, at + frm2.payload, length, values);
      let size = 0;
      for (const [number, { name }] of this.#decoder.signals.entries()) {
        const text = this.#texts.textOf(values, number);
        if (text === null) continue;
        const { value, raw, unit, label } = text;
        const signal = { signal: name, value, raw, unit, label };
        size += signalTextSize(signal);
        if (size > maxDecodedText) break;
        signals.push(signal);
      }
    }
    return { message: this.name, signals };
  }
}

/**
 * Names and values of frames with the databases of their channel. Messages are compiled for
 * their first frame.
 */
export class FrameDecoder {
  readonly #longRecords: Pick<LongRecords, 'endingWith'>;
  #compiled = new WeakMap<AttachedDatabase, Map<MessageHead, CompiledMessage>>();
  #kept = 0;

  constructor(longRecords: Pick<LongRecords, 'endingWith'>) {
    this.#longRecords = longRecords;
  }

  /** The J1939 message that ends with a frame, or null. */
  decodeLong(
    databases: readonly AttachedDatabase[],
    record: DataView,
    at: number,
  ): DecodedFrame | null {
    if (databases.length === 0) return null;
    const long = this.#longRecords.endingWith(record, at);
    if (long === null) return null;
    const { view, length } = long;
    for (const database of databases) {
      const head = database.headOf(frm2Id(view, 0), true);
      if (head?.pgn !== undefined) return this.#of(database, head).decode(view, 0, length);
    }
    return null;
  }

  /**
   * The message of a frame, or the longer one that it completes. Null without databases: nothing
   * can be known about such frames.
   */
  decode(
    databases: readonly AttachedDatabase[],
    record: DataView,
    at: number,
  ): DecodedFrame | null {
    if (databases.length === 0) return null;
    const long = this.decodeLong(databases, record, at);
    if (long !== null) return long;
    const flags = frm2Flags(record, at);
    if ((flags & frameFlag.error) !== 0 || frm2Status(record, at) !== 0) return unknown;
    const id = frm2Id(record, at);
    const extended = (flags & frameFlag.extended) !== 0;
    for (const database of databases) {
      const head = database.headOf(id, extended);
      if (head === undefined) continue;
      if ((flags & frameFlag.remote) !== 0) return { message: head.name, signals: [] };
      return this.#of(database, head).decode(record, at, frm2PayloadLength(record, at));
    }
    return unknown;
  }

  #of(database: AttachedDatabase, head: MessageHead): CompiledMessage {
    const known = this.#compiled.get(database)?.get(head);
    if (known !== undefined) return known;
    if (this.#kept > maxKept) {
      this.#compiled = new WeakMap();
      this.#kept = 0;
    }
    const compiled = new CompiledMessage(database, head);
    const messages = this.#compiled.get(database) ?? new Map<MessageHead, CompiledMessage>();
    this.#compiled.set(database, messages.set(head, compiled));
    this.#kept += compiled.size;
    return compiled;
  }
}

/** Decodes records with the databases that are attached at that moment. */
export const decodeLive = (databases: DatabasesByChannel, decoder: FrameDecoder): DecodeRecord => {
  return (record, at) => decoder.decode(databases.of(frm2Channel(record, at)), record, at);
};

/** Decodes a record the same way each time, even if databases change in between. */
export const decodeFixed = (databases: DatabasesByChannel, decoder: FrameDecoder): DecodeRecord => {
  const fixed = new Map<number, readonly AttachedDatabase[]>();
  // Long records can be dropped in between.
  const long = new Map<number, DecodedFrame>();
  return (record, at) => {
    const eventId = frm2EventId(record, at);
    const known = long.get(eventId);
    if (known !== undefined) return known;
    const slot = frm2Channel(record, at);
    const own = fixed.get(slot) ?? databases.of(slot);
    fixed.set(slot, own);
    const decoded = decoder.decodeLong(own, record, at);
    if (decoded !== null) long.set(eventId, decoded);
    return decoded ?? decoder.decode(own, record, at);
  };
};
