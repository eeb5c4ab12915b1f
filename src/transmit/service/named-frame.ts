import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Message } from '../../database/model.ts';
import { fdLengths, lengthError } from '../../frame/dlc.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import { formatNotation } from '../../frame/notation.ts';
import type { FrameRequest } from '../../frame/request-fields.ts';

type Framed = Pick<Message, 'name' | 'id' | 'extended' | 'fd' | 'brs' | 'length' | 'lin' | 'pgn'>;

/** Bytes of the frame that carries a message: CAN FD has gaps between its lengths. */
export const frameLengthOf = ({ name, fd, length, pgn }: Framed): number => {
  const error = lengthError(length, fd);
  if (error === null) return length;
  if (error.reason === 'no_such_length') return fdLengths.find((each) => each > length) ?? length;
  throw new BusbarError('invalid_argument', {
    message: `${name} has ${length} bytes, but a frame has at most ${error.limit}`,
    details: { field: 'message', reason: 'too_long', limit: error.limit },
    ...(pgn !== undefined && {
      hint: `busbar j1939 send --message=${name} sends it as a transfer.`,
    }),
  });
};

const padded = (data: Uint8Array, length: number, fill: number): Uint8Array => {
  if (data.length === length) return data;
  const bytes = new Uint8Array(length).fill(fill);
  bytes.set(data);
  return bytes;
};

const linChecksum = ({ lin }: Framed): Pick<FrameRequest, 'checksum'> =>
  lin === undefined ? {} : { checksum: lin.checksum };

/** The header of a message that slaves send. */
export const readFrame = (message: Framed): FrameRequest => ({
  type: 'master-read',
  id: message.id,
  dlc: message.length,
  ...linChecksum(message),
});

/** The frame of a message, as the database describes it. */
export const namedFrame = (
  message: Framed,
  data: Uint8Array,
  { fill, isLin }: { readonly fill: number; readonly isLin: boolean },
): FrameRequest => {
  const { id, extended, fd, brs } = message;
  const text = formatHex(padded(data, frameLengthOf(message), fill));
  if (isLin) return { type: 'master-write', id, data: text, ...linChecksum(message) };
  return { type: 'data', id, extended, fd, brs, data: text };
};

/** The frame of a message in frame notation, with these data in hex. */
export const notedFrame = (
  { id, extended, fd, brs }: Framed,
  data: string,
  isLin: boolean,
): string => {
  const bus = isLin ? 'lin' : fd ? 'canfd' : 'can';
  const dlc = data.length / 2;
  return formatNotation({ bus, id, extended, remote: false, brs, esi: false, dlc, data });
};
