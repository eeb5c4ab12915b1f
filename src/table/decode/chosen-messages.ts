import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { forDecoding } from '../../database/for-decoding.ts';
import { MessageIndex } from '../../database/message-index.ts';
import type { Message } from '../../database/model.ts';
import { decodableSignals } from '../../signal/decodable-signals.ts';
import { signalFilter } from '../../signal/signal-pattern.ts';
import { columnTypeOf } from '../rows/column-type.ts';
import type { WideColumn } from '../rows/series.ts';
import type { WideShape } from '../table-format.ts';
import type { TraceDecoding } from '../table-records.ts';
import { checkChosenPatterns, parseChosenPatterns } from './chosen-patterns.ts';
import type { ChosenDatabase, DecodeSettings } from './decode-settings.ts';
import type { ChosenSignal } from './message-sampler.ts';

const maxSignals = 4096;
const maxValues = 100_000;
export const maxColumns = 16_384;

export interface ChosenMessage {
  readonly message: Message;
  readonly signals: readonly ChosenSignal[];
}

type OmittedSignal = TraceDecoding['omitted_signals'][number];

const refuseTooLarge = ({ name, signals }: Message, chosen: number): void => {
  const values = signals.reduce((sum, signal) => sum + signal.values.length, 0);
  if (chosen <= maxSignals && values <= maxValues) return;
  throw invalidArgument('signals', `${name} is too large to decode completely: select signals`, {
    reason: 'too_large',
    message: name,
    signals: chosen,
    values,
    limit: maxSignals,
  });
};

/** Messages of one database, found by the identifiers of frames. */
export class DatabaseMessages {
  readonly source: ChosenDatabase;
  readonly isLin: boolean;
  readonly chosen = new Map<Message, ChosenMessage>();
  readonly #index: MessageIndex;

  constructor(source: ChosenDatabase) {
    this.source = source;
    this.isLin = source.database.format === 'ldf';
    this.#index = new MessageIndex(source.database);
  }

  find(id: number, extended: boolean): Message | undefined {
    return this.#index.find(id, extended);
  }
}

/** What a table contains: signals by message, and the columns of a wide table. */
export class ChosenMessages {
  readonly databases: readonly DatabaseMessages[];
  readonly omitted: readonly OmittedSignal[];
  readonly columns: readonly WideColumn[];
  readonly maxSignals: number;

  constructor({ databases, signals, wide }: DecodeSettings) {
    const patterns = parseChosenPatterns(signals);
    const all = databases.flatMap(({ database }) => database.messages);
    checkChosenPatterns(patterns, all);
    const isChosen = signalFilter(patterns);
    const omitted: OmittedSignal[] = [];
    const columns: WideColumn[] = [];
    const names = columnNames(databases);
    let most = 0;
    this.databases = databases.map((source, number) => {
      const messages = new DatabaseMessages(source);
      for (const original of source.database.messages) {
        const wanted = original.signals
          .map(({ name }) => name)
          .filter((name) => isChosen(original.name, name));
        if (wanted.length === 0) continue;
        refuseTooLarge(original, wanted.length);
        const message = forDecoding(original);
        const decodable = decodableSignals(message, wanted);
        for (const { signal, reason } of decodable.omitted) {
          omitted.push({ database: source.name, message: message.name, signal, reason });
        }
        const taken = new Set(decodable.names);
        const chosen: ChosenSignal[] = [];
        message.signals.forEach((signal, index) => {
          if (!taken.delete(signal.name)) return;
          chosen.push({ index, column: columns.length });
          columns.push({
            name: names.nameOf(number, original.name, signal.name),
            type: columnTypeOf(signal),
          });
        });
        if (chosen.length === 0) continue;
        most = Math.max(most, chosen.length);
        messages.chosen.set(original, { message, signals: chosen });
      }
      return messages;
    });
    this.omitted = omitted;
    this.maxSignals = most;
    if (most === 0) {
      throw invalidArgument('databases', 'The databases have no signals that can be decoded', {
        reason: 'no_signals',
      });
    }
    if (wide && columns.length > maxColumns) throw tooManyColumns(columns.length);
    this.columns = columns;
  }

  /** Whether signals can be in payloads longer than a frame. */
  get hasGroups(): boolean {
    return this.databases.some(({ chosen }) =>
      [...chosen.keys()].some(({ pgn }) => pgn !== undefined),
    );
  }

  shapeFor({ wide, everyUs }: DecodeSettings): WideShape | null {
    return wide ? { columns: this.columns, hold: everyUs !== null } : null;
  }
}

const tooManyColumns = (columns: number): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `A wide table has at most ${maxColumns} columns: select signals`,
    details: { field: 'signals', columns, limit: maxColumns },
  });

/** `Message.Signal`, after the channel or database of files that have equal names. */
const columnNames = (databases: readonly ChosenDatabase[]) => {
  const owners = new Map<string, number>();
  const used = new Set<string>();
  databases.forEach(({ database }, number) => {
    for (const { name } of database.messages) {
      const owner = owners.get(name);
      owners.set(name, owner === undefined || owner === number ? number : -1);
    }
  });
  return {
    nameOf: (number: number, message: string, signal: string): string => {
      const { name, channel } = databases[number] as ChosenDatabase;
      const plain = `${message}.${signal}`;
      const base = owners.get(message) === -1 ? `${channel ?? name}.${plain}` : plain;
      let unique = base;
      for (let copy = 2; used.has(unique); copy++) unique = `${base}_${copy}`;
      used.add(unique);
      return unique;
    },
  };
};
