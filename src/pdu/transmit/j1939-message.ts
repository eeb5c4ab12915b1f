import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { globalAddress, isAddressed, maxPgn, nullAddress } from '../../database/j1939.ts';
import { parseHex } from '../../frame/hex-bytes.ts';
import { maxSingleFrame, maxTransport } from '../j1939/transport-frames.ts';
import { givenCount } from '../pdu-filter.ts';

/** What a request contains, given by its caller or by the message that it names. */
export interface J1939SendRequest {
  readonly pgn?: number | string;
  readonly source?: number | string;
  readonly destination?: number | string;
  readonly priority?: number;
  readonly data?: string;
}

export interface J1939Message {
  readonly pgn: number;
  readonly source: number;
  readonly destination: number;
  readonly priority: number;
  readonly payload: Uint8Array;
}

const defaultPriority = 6;

const required = <Field extends 'pgn' | 'source' | 'data'>(
  request: J1939SendRequest,
  field: Field,
): NonNullable<J1939SendRequest[Field]> => {
  const given = request[field];
  if (given !== undefined) return given;
  throw invalidArgument(field, `${field} is required without message`, { reason: 'missing' });
};

export const j1939Message = (request: J1939SendRequest): J1939Message => {
  const pgn = givenCount('pgn', required(request, 'pgn'), maxPgn);
  if (isAddressed(pgn) && (pgn & 0xff) !== 0) {
    const message = 'The last byte of pgn is the destination of such a group: it must be 0';
    throw invalidArgument('pgn', message, { reason: 'has_destination' });
  }
  const source = givenCount('source', required(request, 'source'), nullAddress);
  const destination = givenCount('destination', request.destination ?? globalAddress, 0xff);
  if (destination === nullAddress) {
    throw invalidArgument('destination', 'Address 254 belongs to no node', { reason: 'null' });
  }
  const payload = parseHex(required(request, 'data'), { field: 'data', maxLength: maxTransport });
  const isSingle = payload.length <= maxSingleFrame;
  if (isSingle && destination !== globalAddress && !isAddressed(pgn)) {
    const message = 'Single frames of this group go to all nodes: omit destination';
    throw invalidArgument('destination', message, { reason: 'not_addressed' });
  }
  return { pgn, source, destination, priority: request.priority ?? defaultPriority, payload };
};
