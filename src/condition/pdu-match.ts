import { isOfPattern } from '../frame/id-pattern.ts';
import type { Pdu } from '../pdu/pdu.ts';
import type { BytePattern } from './byte-pattern.ts';
import type { PduTerm } from './condition.ts';

/** First byte of a negative response: the service follows, then the code. */
const negativeResponse = 0x7f;
const codeAt = 2;

const isNegative = ({ payload }: Pdu, code: number): boolean =>
  payload.length > codeAt && payload[0] === negativeResponse && payload[codeAt] === code;

export const matchesPdu = (term: PduTerm, data: BytePattern | null, pdu: Pdu): boolean => {
  const { protocol, pgn, id, nrc, status } = term;
  if (protocol !== null && protocol !== pdu.protocol) return false;
  if (pdu.status !== (status ?? 'complete')) return false;
  if (pgn !== null && pgn !== pdu.pgn) return false;
  if (id !== null) {
    const { pattern } = id;
    if (pdu.id === null || pattern.extended !== pdu.extended) return false;
    if (!isOfPattern(pattern, pdu.id)) return false;
  }
  if (nrc !== null && (pdu.protocol === 'j1939' || !isNegative(pdu, nrc))) return false;
  return data?.matches(pdu.payload, 0, pdu.payload.length) ?? true;
};
