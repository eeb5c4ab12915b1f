import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { nearest, unknownName } from '../base/suggest.ts';
import { maxStandardId } from '../frame/frame.ts';
import { readId } from '../frame/id-pattern.ts';
import type { MessageIndex } from './message-index.ts';
import type { Message } from './model.ts';

/** Message name or identifier: a number, or its printed hex form. */
export type MessageReference = string | number;

export const databaseNotFound = (name: string, known: readonly string[]): BusbarError =>
  new BusbarError('database_not_found', {
    message: `No such database: ${name}`,
    details: { database: name },
    hint: nearest(name, known),
  });

const extendedMark = 0x8000_0000;

interface MessageKey {
  readonly id: number;
  readonly extended: boolean | null;
}

const soughtOf = (reference: MessageReference): MessageKey | null => {
  if (typeof reference === 'string') {
    const read = readId(reference);
    return 'reason' in read ? null : { id: read.value, extended: read.extended };
  }
  if (reference >= extendedMark) return { id: reference - extendedMark, extended: true };
  return { id: reference, extended: reference > maxStandardId ? true : null };
};

const found = (index: MessageIndex, { id, extended }: MessageKey): readonly Message[] => {
  const standard = extended === true ? undefined : index.byId(id, false);
  const wide = extended === false ? undefined : index.byId(id, true);
  const exact = [standard, wide].filter((message) => message !== undefined);
  if (exact.length > 0 || extended !== true) return exact;
  const member = index.find(id, true);
  return member ? [member] : [];
};

/** A name takes precedence over an identifier with the same text. */
export const findMessage = (
  database: string,
  index: MessageIndex,
  reference: MessageReference,
): Message => {
  const named = typeof reference === 'string' ? index.byName(reference) : undefined;
  if (named) return named;
  const sought = soughtOf(reference);
  const [message, other] = sought ? found(index, sought) : [];
  if (message && other) {
    throw invalidArgument(
      'message',
      `${reference} matches both ${message.name} and ${other.name}: use the name`,
      { reason: 'ambiguous', messages: [message.name, other.name] },
    );
  }
  if (message) return message;
  throw unknownName(
    'message_not_found',
    {
      message: `${database} has no message ${reference}`,
      details: { field: 'message', database, message: reference },
    },
    String(reference),
    index.names(),
  );
};
