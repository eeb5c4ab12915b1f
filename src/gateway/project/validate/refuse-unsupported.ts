import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { ProjectDraft } from '../project-draft.ts';
import type { TableName } from '../table-names.ts';

type LooseRow = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is LooseRow => typeof value === 'object' && value !== null;

function* everyRow(draft: ProjectDraft, table: TableName): Generator<LooseRow> {
  const { rows, unsound } = draft.tables[table];
  yield* rows as Iterable<LooseRow>;
  for (const value of unsound) if (isRow(value)) yield value;
}

const byId = (draft: ProjectDraft, table: TableName): Map<unknown, LooseRow> => {
  const found = new Map<unknown, LooseRow>();
  for (const row of everyRow(draft, table)) if (!found.has(row.id)) found.set(row.id, row);
  return found;
};

/**
 * Rejects more than one check or more than one protection of one message on the bus, even in
 * different rows or PDUs.
 */
export const refuseUnsupported = (draft: ProjectDraft): void => {
  const { rows, unsound } = draft.tables.e2e;
  if (rows.length + unsound.length < 2) return;
  const pdus = byId(draft, 'pdus');
  const messages = byId(draft, 'messages');
  /**
   * Returns a key of endpoint, identifier and format. A message that does not exist is its own key.
   */
  const frameOf = (id: string): string => {
    const { endpoint, can_id, extended = false } = messages.get(id) ?? {};
    return typeof endpoint === 'string' && typeof can_id === 'number'
      ? JSON.stringify([endpoint, can_id, extended])
      : `message ${id}`;
  };
  const seen = new Set<string>();
  for (const { message, pdu, direction } of everyRow(draft, 'e2e')) {
    if (direction !== 'check' && direction !== 'protect') continue;
    const targets = new Set<string>();
    if (typeof message === 'string') targets.add(frameOf(message));
    if (typeof pdu === 'string') {
      const carrier = pdus.get(pdu)?.message;
      targets.add(typeof carrier === 'string' ? frameOf(carrier) : `PDU ${pdu}`);
    }
    for (const target of targets) {
      const key = `${direction} ${target}`;
      if (seen.has(key)) throw new BusbarError('unsupported_gateway_feature');
      seen.add(key);
    }
  }
};
