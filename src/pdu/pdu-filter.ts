import { invalidArgument } from '../base/errors/busbar-error.ts';
import { maxPgn } from '../database/j1939.ts';
import { type IdPattern, isOfPattern, parseIdPattern } from '../frame/id-pattern.ts';
import type { Pdu, PduProtocol } from './pdu.ts';

/** A number as people write it: decimal, or hex with 0x. */
export const numberText = '^(?:0[xX][0-9A-Fa-f]{1,8}|[0-9]{1,10})$';
export const numberForm = 'a number: decimal, or hex with 0x';

const written = new RegExp(numberText);

/** PGN or address of a request. */
export const givenCount = (field: string, given: number | string, limit: number): number => {
  const value = typeof given === 'string' && written.test(given) ? Number(given) : given;
  if (typeof value === 'string') {
    throw invalidArgument(field, `${field} must be ${numberForm}`, { reason: 'pattern' });
  }
  if (Number.isInteger(value) && value >= 0 && value <= limit) return value;
  const range = `0 to ${limit} (0x${limit.toString(16).toUpperCase()})`;
  throw invalidArgument(field, `${field} must be an integer from ${range}`, {
    reason: 'out_of_range',
    limit,
  });
};

export interface PduChoice {
  readonly protocol?: readonly PduProtocol[] | undefined;
  readonly pgn?: readonly string[] | undefined;
  readonly id?: readonly string[] | undefined;
}

export type PduFilter = (pdu: Pdu) => boolean;

const isOfAddress = (pattern: IdPattern, { id, extended }: Pdu): boolean =>
  id !== null && pattern.extended === extended && isOfPattern(pattern, id);

/** `channels` are slots, or keys of a trace; null is all of them. */
export const compilePduFilter = (
  { protocol, pgn, id }: PduChoice,
  channels: readonly number[] | null,
): PduFilter => {
  const groups = pgn?.map((text, index) => givenCount(`pgn[${index}]`, text, maxPgn));
  const patterns = id?.map((text, index) => parseIdPattern(text, `id[${index}]`));
  return (pdu) =>
    (channels?.includes(pdu.channel) ?? true) &&
    (protocol?.includes(pdu.protocol) ?? true) &&
    (groups === undefined || (pdu.pgn !== null && groups.includes(pdu.pgn))) &&
    (patterns === undefined || patterns.some((pattern) => isOfAddress(pattern, pdu)));
};
