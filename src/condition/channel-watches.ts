import type { DeadlineHeap } from '../base/schedule/deadline-heap.ts';
import { type MessageHead, MessageIndex } from '../database/message-index.ts';
import { Checker } from '../e2e/checker.ts';
import { compileLayout } from '../e2e/layout.ts';
import { maxStandardId } from '../frame/frame.ts';
import { isOfPattern } from '../frame/id-pattern.ts';
import { channelOfKey } from '../trace/channel-key.ts';
import type { ConditionContext, ConditionDatabase } from './condition-context.ts';
import {
  ChangeWatch,
  DecodingWatch,
  E2eWatch,
  FrameWatch,
  type PayloadWatch,
  SignalWatch,
  SilenceWatch,
  type TermCell,
  type Watch,
} from './term-cell.ts';

/** Extended identifiers whose watches are remembered; a hostile trace has more. */
const maxRemembered = 262_144;

/** How many more identifiers all channels may remember. */
export class IdentifierRoom {
  #left = maxRemembered;

  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

const none: readonly Watch[] = [];

export interface FoundMessage {
  readonly database: ConditionDatabase;
  readonly head: MessageHead;
}

/** Indexes of databases, which all channels share. */
export class DatabaseIndexes {
  readonly #indexes = new Map<ConditionDatabase, MessageIndex<MessageHead>>();

  of(database: ConditionDatabase): MessageIndex<MessageHead> {
    const known = this.#indexes.get(database);
    if (known) return known;
    const index = new MessageIndex<MessageHead>({ messages: database.heads });
    this.#indexes.set(database, index);
    return index;
  }

  /** The message of a frame: the first database that has one decides. */
  find(
    databases: readonly ConditionDatabase[],
    id: number,
    extended: boolean,
  ): FoundMessage | null {
    for (const database of databases) {
      const head = this.of(database).find(id, extended);
      if (head !== undefined) return { database, head };
    }
    return null;
  }
}

/** What the channels of a run share. */
export interface SharedWatches {
  readonly indexes: DatabaseIndexes;
  readonly room: IdentifierRoom;
  readonly deadlines: DeadlineHeap<SilenceWatch>;
}

interface OwnWatch {
  readonly cell: TermCell;
  readonly watch: Watch;
}

/** The terms on one channel, found by the identifiers of frames. */
export class ChannelWatches {
  readonly key: number;
  readonly errors: readonly TermCell[];
  readonly pdus: readonly TermCell[];
  readonly #own: readonly OwnWatch[];
  readonly #databases: readonly ConditionDatabase[];
  readonly #indexes: DatabaseIndexes;
  readonly #room: IdentifierRoom;
  readonly #standard: (readonly Watch[] | undefined)[] = [];
  readonly #extended = new Map<number, readonly Watch[]>();

  constructor(
    key: number,
    cells: readonly TermCell[],
    context: ConditionContext,
    { indexes, room, deadlines }: SharedWatches,
  ) {
    const { bus } = channelOfKey(key);
    const isWatched = context.isWatched?.(key) ?? true;
    const concerned = cells.filter(({ compiled: { term, guarded } }) => {
      if (guarded?.channels.includes(key) === false) return false;
      if (term.on !== null) return context.isChannel(term.on.channel, key);
      return isWatched || guarded !== null;
    });
    for (const cell of concerned) cell.isMet = true;
    this.key = key;
    this.#indexes = indexes;
    this.#room = room;
    this.#databases = context.databasesOf(key).filter((database) => database.bus === bus);
    this.errors = concerned.filter(({ compiled: { term } }) =>
      ['error', 'bus_off'].includes(term.op),
    );
    this.pdus = concerned.filter(({ compiled: { term } }) => term.op === 'pdu');
    this.#own = concerned.flatMap((cell) => {
      const watch = watchOf(cell, deadlines);
      return watch === null ? [] : [{ cell, watch }];
    });
  }

  reset(): void {
    for (const { watch } of this.#own) watch.reset();
  }

  /** The watches of frames with an identifier. */
  of(id: number, extended: boolean): readonly Watch[] {
    if (this.#own.length === 0) return none;
    if (!extended && id <= maxStandardId) {
      const known = this.#standard[id];
      if (known !== undefined) return known;
      const found = this.#find(id, false);
      if (this.#standard.length === 0) this.#standard.length = maxStandardId + 1;
      this.#standard[id] = found;
      return found;
    }
    const known = this.#extended.get(id);
    if (known !== undefined) return known;
    const found = this.#find(id, extended);
    if (this.#room.take()) this.#extended.set(id, found);
    return found;
  }

  #find(id: number, extended: boolean): readonly Watch[] {
    const frame = this.#indexes.find(this.#databases, id, extended);
    const message = frame === null ? null : frame.database.message(frame.head);
    const found: Watch[] = [];
    for (const { cell, watch } of this.#own) {
      const { term, guarded, signalIn } = cell.compiled;
      if (term.op === 'frame' || term.op === 'silence') {
        const { pattern } = term.id;
        if (pattern.extended === extended && isOfPattern(pattern, id)) found.push(watch);
      } else if (guarded !== null) {
        if (guarded.id === id && guarded.extended === extended) found.push(watch);
      } else if (message !== null && 'name' in term && term.name.message === message.name) {
        const decoded = signalIn(message);
        if (decoded === null) continue;
        const hasGroup = message.pgn !== undefined;
        found.push(new DecodingWatch(watch as PayloadWatch, decoded, hasGroup));
      }
    }
    return found.length === 0 ? none : found;
  }
}

const watchOf = (cell: TermCell, deadlines: DeadlineHeap<SilenceWatch>): Watch | null => {
  const { term, guarded } = cell.compiled;
  switch (term.op) {
    case 'frame':
      return new FrameWatch(cell);
    case 'signal':
      return new SignalWatch(cell);
    case 'change':
      return new ChangeWatch(cell);
    case 'silence':
      return new SilenceWatch(cell, term.duration.ns, deadlines);
    case 'e2e_error': {
      if (guarded === null) return null;
      const { codec, start, length } = guarded;
      const checker = new Checker(compileLayout(codec, length), codec);
      return new E2eWatch(cell, checker, start, start + length);
    }
    default:
      return null;
  }
};
