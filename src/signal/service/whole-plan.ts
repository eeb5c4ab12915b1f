import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { OmittedSignal } from '../../database/database-store.ts';
import { sourceOf } from '../../database/j1939.ts';
import type { MessageHead } from '../../database/message-index.ts';
import type { AttachedDatabase } from '../../database/service/attached-database.ts';
import { decodableSignals } from '../decodable-signals.ts';
import type { PlanMessages } from '../live/live-plan.ts';
import type { PlanPartOptions } from '../live/plan-part.ts';
import { parseSignalPattern, signalFilter } from '../signal-pattern.ts';
import { checkPatterns } from './attached-patterns.ts';

export interface WholePlanRequest {
  readonly signals?: readonly string[] | undefined;
  readonly source_address?: number | undefined;
}

export interface WholePlan extends PlanMessages {
  readonly omitted: readonly OmittedSignal[];
}

const tooManySignals = (limit: number): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `A plan can have at most ${limit} signals: select some with signals`,
    details: { field: 'signals', limit },
  });

/** Finds the message of a frame as attached databases do, without their content. */
const finderOf = (databases: readonly AttachedDatabase[]) => {
  const find = databases.map((database) => database.finder);
  return (id: number, extended: boolean): MessageHead | undefined => {
    for (const byFrame of find) {
      const head = byFrame(id, extended);
      if (head !== undefined) return head;
    }
    return undefined;
  };
};

/**
 * Every message of databases, in their order, or those with selected signals. Nothing is
 * compiled or allocated before the limit is checked.
 */
export const wholePlan = (
  databases: readonly AttachedDatabase[],
  { signals: texts = [], source_address: source }: WholePlanRequest,
  maxSignals: number,
): WholePlan => {
  const patterns = texts.map(parseSignalPattern);
  checkPatterns(patterns, databases, 'signals');
  const isSelected = signalFilter(patterns);
  const findHead = finderOf(databases);
  const parts: PlanPartOptions[] = [];
  const indexes = new Map<MessageHead, number>();
  const omitted: OmittedSignal[] = [];
  let count = 0;
  for (const database of databases) {
    for (const head of database.heads) {
      // Frames of a later message with the same identifier belong to the first one.
      if (findHead(head.id, head.extended) !== head) continue;
      if (source !== undefined && head.pgn === undefined) continue;
      const message = database.message(head);
      const wanted = message.signals
        .map(({ name }) => name)
        .filter((name) => isSelected(message.name, name));
      const decodable = decodableSignals(message, wanted);
      for (const { signal, reason } of decodable.omitted) {
        omitted.push({ signal: `${message.name}.${signal}`, reason });
      }
      count += decodable.names.length;
      if (count > maxSignals) throw tooManySignals(maxSignals);
      if (decodable.names.length === 0) continue;
      indexes.set(head, parts.push({ message, signals: decodable.names }) - 1);
    }
  }
  if (parts.length === 0) {
    throw invalidArgument(
      source === undefined ? 'signals' : 'source_address',
      source === undefined
        ? 'No signal of the databases can be decoded'
        : 'The databases have no J1939 message, so frames have no source address',
      { reason: source === undefined ? 'undecodable' : 'not_j1939' },
    );
  }
  return {
    parts,
    omitted,
    partOf: (id, extended) => {
      if (source !== undefined && sourceOf(id) !== source) return -1;
      const head = findHead(id, extended);
      return head === undefined ? -1 : (indexes.get(head) ?? -1);
    },
  };
};
