import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import type { MessageIndex } from './message-index.ts';
import type { Message } from './model.ts';

/** A message by its name, or by its identifier as a number or as text in decimal or hex. */
export type MessageReference = string | number;

export const databaseNotFound = (name: string): BusbarError =>
  new BusbarError('database_not_found', {
    message: `There is no database ${name}`,
    details: { database: name },
  });

const identifierText = /^(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})$/;

const identifierOf = (reference: MessageReference): number | null => {
  if (typeof reference === 'number') return reference;
  return identifierText.test(reference) ? Number(reference) : null;
};

/** What DBC files add to identifiers of 29 bits. */
const extendedMark = 0x8000_0000;

const largestStandard = 0x7ff;

/** The message whose parameter group an identifier is of, as frames on the bus have it. */
const groupMember = (index: MessageIndex, id: number | null): Message | undefined =>
  id !== null && id > largestStandard ? index.byGroup(id & ~extendedMark) : undefined;

/** A name counts before a number that is written the same way. */
export const findMessage = (
  database: string,
  index: MessageIndex,
  reference: MessageReference,
): Message => {
  const named = typeof reference === 'string' ? index.byName(reference) : undefined;
  if (named) return named;
  const id = identifierOf(reference);
  const marked =
    id !== null && id >= extendedMark ? index.byId(id - extendedMark, true) : undefined;
  if (marked) return marked;
  const standard = id === null ? undefined : index.byId(id, false);
  const extended = id === null ? undefined : index.byId(id, true);
  if (standard && extended) {
    throw invalidArgument(
      'message',
      `${reference} is both ${standard.name} and ${extended.name}: give the name`,
      { reason: 'ambiguous', messages: [standard.name, extended.name] },
    );
  }
  const found = standard ?? extended ?? groupMember(index, id);
  if (found) return found;
  throw new BusbarError('message_not_found', {
    message: `${database} has no message ${reference}`,
    details: { field: 'message', database, message: reference },
  });
};
