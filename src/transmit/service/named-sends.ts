import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { parseHex } from '../../frame/hex-bytes.ts';
import type { NamedMessage, NamedMessages } from '../../signal/service/named-messages.ts';
import type { SendRecord } from '../send-record.ts';
import type { DescribedFrames } from '../send-request.ts';
import { type NameFields, namedIn, refusedMessage } from './name-fields.ts';
import { namedFrame, notedFrame, readFrame } from './named-frame.ts';

/** The request without the fields that name a message. */
export const withoutNames = <Request extends NameFields & Partial<DescribedFrames>>({
  message: _message,
  signals: _signals,
  raw: _raw,
  database: _database,
  frame: _frame,
  ...rest
}: Request) => rest;

/** A frame of a LIN slave is read, with the signals of its response. */
const prepareRead = <Request extends DescribedFrames & NameFields>(
  request: Request,
  { encoder, database }: NamedMessage,
) => {
  const { name, id, extended, lin } = encoder.message;
  const given = (['signals', 'raw'] as const).find((field) => request[field] !== undefined);
  if (given !== undefined) {
    const sender = lin?.publisher ?? 'slaves';
    throw invalidArgument(given, `${sender} sends ${name}, the master reads it: omit ${given}`, {
      reason: 'sent_by_slave',
    });
  }
  return {
    request: { ...withoutNames(request), ...readFrame(encoder.message) },
    complete: (record: SendRecord): SendRecord => {
      const { response } = record;
      const named = { ...record, message: name, database, id, extended };
      if (response === null) return named;
      const { data } = response;
      const signals = encoder.signalsOf(parseHex(data, { field: 'data', maxLength: 8 }));
      return { ...named, data, frame: notedFrame(encoder.message, data, true), signals };
    },
  };
};

/**
 * Replaces a message name and its signals by the frame, so that the bench thread sends it like any
 * other. Null if the request describes its frame itself.
 */
export const prepareSend = async <Caller, Request extends DescribedFrames & NameFields>(
  request: Request,
  caller: Caller,
  messages: Pick<NamedMessages<Caller>, 'find'>,
) => {
  const message = namedIn(request);
  if (message === undefined) return null;
  const { channel, signals = {}, raw } = request;
  const found = await messages.find({ channel, message, database: request.database }, caller);
  const { encoder, isLin, database } = found;
  const refused = (thrown: unknown) => refusedMessage(thrown, message);
  if (found.isRead) return { ...prepareRead(request, found), refused };
  const { data: payload, signals: encoded } = encoder.encode({ signals, raw });
  const frame = namedFrame(encoder.message, payload, { fill: encoder.fill, isLin });
  const { id, extended } = encoder.message;
  const { data = '' } = frame;
  return {
    request: { ...withoutNames(request), ...frame },
    /** Adds the message and its signals to the record of the bench thread. */
    complete: (record: SendRecord): SendRecord => ({
      ...record,
      message,
      database,
      id,
      extended,
      data,
      frame: notedFrame(encoder.message, data, isLin),
      signals: [...encoded],
    }),
    refused,
  };
};
