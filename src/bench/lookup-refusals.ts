import { BusbarError, type ErrorDetails } from '../base/errors/busbar-error.ts';
import type { ErrorCode } from '../base/errors/table.ts';
import type { SelectorMatch } from './channel-lookup.ts';

export const lookupDetails = (
  text: string,
  { kind, resolved }: Pick<SelectorMatch, 'kind' | 'resolved'>,
): ErrorDetails => ({
  channel: text,
  selector_kind: kind,
  ...(resolved !== null && { resolved }),
});

const refusal = (
  code: ErrorCode,
  text: string,
  meaning: SelectorMatch,
  words: (target: string) => string,
  hint?: string,
): BusbarError => {
  const target = meaning.resolved === null ? text : `${text} (${meaning.resolved})`;
  return new BusbarError(code, {
    message: words(target),
    details: lookupDetails(text, meaning),
    hint,
  });
};

/** A misspelt name cannot be opened, so the default hint would be wrong. */
const hintFor = (meaning: SelectorMatch): string | undefined =>
  meaning.is === 'nothing' && meaning.near !== undefined
    ? `Did you mean ${meaning.near}?`
    : undefined;

const unbound = (text: string, meaning: SelectorMatch): BusbarError =>
  refusal('network_unbound', text, meaning, (target) => `Network ${target} is not bound to a port`);

const foreign = (text: string, meaning: SelectorMatch, code: ErrorCode): BusbarError => {
  const kind = meaning.resolved === null ? 'network' : 'Modbus network';
  return refusal(code, text, meaning, (target) => `${target} is a ${kind} without channels`);
};

const notFound = (text: string, meaning: SelectorMatch): BusbarError =>
  refusal(
    'channel_not_found',
    text,
    meaning,
    (target) => `No such channel: ${target}`,
    hintFor(meaning),
  );

const notOpen = (text: string, meaning: SelectorMatch): BusbarError =>
  refusal('channel_not_open', text, meaning, (target) => `${target} is not open`, hintFor(meaning));

export const notFindable = (text: string, meaning: SelectorMatch): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  if (meaning.is === 'foreign') return foreign(text, meaning, 'channel_not_found');
  return notFound(text, meaning);
};

/**
 * Error for a selector that cannot be used for sending. A name that could be a channel counts
 * as not open.
 */
export const notUsable = (text: string, meaning: SelectorMatch): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  // A Modbus network counts as unbound.
  if (meaning.is === 'foreign') return foreign(text, meaning, 'network_unbound');
  return notOpen(text, meaning);
};

/** Error for a selector without events. Only a known channel can be "not open". */
export const notFollowable = (text: string, meaning: SelectorMatch): BusbarError =>
  meaning.is === 'nothing' ? notFindable(text, meaning) : notUsable(text, meaning);

export const notOpenable = (text: string, meaning: SelectorMatch): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  if (meaning.is === 'foreign') return foreign(text, meaning, 'channel_not_found');
  return refusal('channel_not_found', text, meaning, (target) => `No such port: ${target}`);
};
