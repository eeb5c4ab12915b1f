import { invalidArgument } from '../../base/errors/busbar-error.ts';
import {
  destinationOf,
  globalAddress,
  nullAddress,
  priorityOf,
  sourceOf,
} from '../../database/j1939.ts';
import type { Message } from '../../database/model.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import { maxTransport } from '../../pdu/j1939/transport-frames.ts';
import type { J1939SendRequest } from '../../pdu/transmit/j1939-message.ts';
import type { J1939SendRecord } from '../../pdu/transmit/j1939-record.ts';
import type { NamedMessages } from '../../signal/service/named-messages.ts';
import { type NameFields, namedIn } from './name-fields.ts';
import { withoutNames } from './named-sends.ts';

type NamedRequest = J1939SendRequest & NameFields & { readonly channel: string };

/** Destinations in a file are often the null address, which belongs to no node. */
const destinationIn = (id: number): number => {
  const destination = destinationOf(id);
  return destination === nullAddress ? globalAddress : destination;
};

const groupOf = ({ name, pgn, length }: Message): number => {
  if (pgn === undefined) {
    throw invalidArgument('message', `${name} is not a J1939 message`, { reason: 'not_j1939' });
  }
  if (length <= maxTransport) return pgn;
  throw invalidArgument(
    'message',
    `${name} has ${length} bytes, but a transfer has at most ${maxTransport}`,
    { reason: 'too_long', limit: maxTransport },
  );
};

/**
 * Replaces a message name and its signals by the payload. Addresses and priority of the request
 * come first, then those of the database. Null if the request contains its payload.
 */
export const prepareJ1939 = async <Caller, Request extends NamedRequest>(
  request: Request,
  caller: Caller,
  messages: Pick<NamedMessages<Caller>, 'find'>,
) => {
  const message = namedIn(request, ['pgn']);
  if (message === undefined) return null;
  const { channel, signals = {}, raw } = request;
  const { encoder, database } = await messages.find(
    { channel, message, database: request.database },
    caller,
  );
  const pgn = groupOf(encoder.message);
  const { data, signals: encoded } = encoder.encode({ signals, raw });
  const { id } = encoder.message;
  const text = formatHex(data);
  return {
    request: {
      ...withoutNames(request),
      pgn,
      source: request.source ?? sourceOf(id),
      destination: request.destination ?? destinationIn(id),
      priority: request.priority ?? priorityOf(id),
      data: text,
    },
    /** Adds the message and its signals to the record of the bench thread. */
    complete: (record: J1939SendRecord): J1939SendRecord => ({
      ...record,
      message,
      database,
      data: text,
      signals: [...encoded],
    }),
  };
};
