import { BusbarError, type ErrorDetails } from '../base/errors/busbar-error.ts';
import type { ErrorCode } from '../base/errors/table.ts';
import type { Meaning } from './channel-lookup.ts';

/** What every failed lookup tells: the words of the caller, and what they were taken for. */
export const lookupDetails = (
  text: string,
  { kind, resolved }: Pick<Meaning, 'kind' | 'resolved'>,
): ErrorDetails => ({
  channel: text,
  selector_kind: kind,
  ...(resolved !== null && { resolved }),
});

const refusal = (
  code: ErrorCode,
  text: string,
  meaning: Meaning,
  words: string,
  hint?: string,
): BusbarError => {
  const target = meaning.resolved === null ? text : `${text} (${meaning.resolved})`;
  return new BusbarError(code, {
    message: `${target} ${words}`,
    details: lookupDetails(text, meaning),
    hint,
  });
};

/** A misspelt name cannot be opened, as the usual hint has it. */
const hintFor = (meaning: Meaning): string | undefined =>
  meaning.is === 'nothing' && meaning.near !== undefined
    ? `Did you mean ${meaning.near}?`
    : undefined;

const unbound = (text: string, meaning: Meaning): BusbarError =>
  refusal('network_unbound', text, meaning, 'is a network that is bound to no port');

/** What it resolves to is an endpoint of Modbus. */
const foreign = (text: string, meaning: Meaning, code: ErrorCode): BusbarError => {
  const kind = meaning.resolved === null ? 'network' : 'Modbus network';
  return refusal(code, text, meaning, `is a ${kind} without channels`);
};

const notFound = (text: string, meaning: Meaning): BusbarError =>
  refusal('channel_not_found', text, meaning, 'names no open channel', hintFor(meaning));

const notOpen = (text: string, meaning: Meaning): BusbarError =>
  refusal('channel_not_open', text, meaning, 'is not open', hintFor(meaning));

/** Why there is no such resource. */
export const notFindable = (text: string, meaning: Meaning): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  if (meaning.is === 'foreign') return foreign(text, meaning, 'channel_not_found');
  return notFound(text, meaning);
};

/** Why nothing can be sent there: whatever could be a channel might yet be opened. */
export const notUsable = (text: string, meaning: Meaning): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  // A network of Modbus nodes is as far from a port as one that is bound to nothing.
  if (meaning.is === 'foreign') return foreign(text, meaning, 'network_unbound');
  return notOpen(text, meaning);
};

/** Why its events cannot be had: only what is known can be said to be not open. */
export const notFollowable = (text: string, meaning: Meaning): BusbarError =>
  meaning.is === 'nothing' ? notFindable(text, meaning) : notUsable(text, meaning);

/** Why it cannot be opened. */
export const notOpenable = (text: string, meaning: Meaning): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  if (meaning.is === 'foreign') return foreign(text, meaning, 'channel_not_found');
  return refusal('channel_not_found', text, meaning, 'names no port that could be opened');
};
