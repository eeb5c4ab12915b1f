import type { NamedMessages } from '../../signal/service/named-messages.ts';
import type { SendRecord } from '../send-record.ts';
import type { DescribedFrames } from '../send-request.ts';
import { type NameFields, namedIn } from './name-fields.ts';
import { namedFrame } from './named-frame.ts';

/** The request without the fields that name a message. */
export const withoutNames = <Request extends NameFields & Partial<DescribedFrames>>({
  message: _message,
  signals: _signals,
  raw: _raw,
  database: _database,
  frame: _frame,
  ...rest
}: Request) => rest;

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
  const { data, signals: encoded } = encoder.encode({ signals, raw });
  const frame = namedFrame(encoder.message, data, { fill: encoder.fill, isLin });
  const { id, extended } = encoder.message;
  return {
    request: { ...withoutNames(request), ...frame },
    /** Adds the message and its signals to the record of the bench thread. */
    complete: (record: SendRecord): SendRecord => ({
      ...record,
      message,
      database,
      id,
      extended,
      data: frame.data ?? '',
      signals: [...encoded],
    }),
  };
};
