import { aligned, readAttributes, readNumber, readText } from './attributes.ts';

/**
 * A netlink message, in both directions:
 *
 *     0             4       6       8             12            16
 *     | length      | type  | flags | sequence    | port id     | body …
 */
export interface NetlinkMessage {
  readonly type: number;
  readonly flags: number;
  readonly sequence: number;
  readonly body: Buffer;
}

const headerLength = 16;

export const messageType = {
  error: 2,
  done: 3,
  newLink: 16,
  deleteLink: 17,
  getLink: 18,
  newRoute: 24,
  deleteRoute: 25,
  getRoute: 26,
} as const;

export const messageFlag = {
  request: 1,
  multi: 2,
  acknowledge: 4,
  /** The list changed while it was read. */
  interrupted: 0x10,
  dump: 0x300,
  exclusive: 0x200,
  create: 0x400,
} as const;

const answerFlag = { capped: 0x100, hasAttributes: 0x200 } as const;
const extendedAck = { message: 1 } as const;

export const encodeMessage = (
  type: number,
  flags: number,
  sequence: number,
  body: Buffer,
): Buffer => {
  const header = Buffer.alloc(headerLength);
  header.writeUInt32LE(headerLength + body.length, 0);
  header.writeUInt16LE(type, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt32LE(sequence, 8);
  return Buffer.concat([header, body]);
};

export const splitMessages = (datagram: Buffer): readonly NetlinkMessage[] => {
  const messages: NetlinkMessage[] = [];
  for (let at = 0; at + headerLength <= datagram.length; ) {
    const length = datagram.readUInt32LE(at);
    if (length < headerLength || at + length > datagram.length) break;
    messages.push({
      type: datagram.readUInt16LE(at + 4),
      flags: datagram.readUInt16LE(at + 6),
      sequence: datagram.readUInt32LE(at + 8),
      body: datagram.subarray(at + headerLength, at + length),
    });
    at += aligned(length);
  }
  return messages;
};

export interface Acknowledgement {
  readonly errno: number;
  readonly text: string | undefined;
}

/**
 * Parses the result of a request from an `error` message, or from the `done` after a list.
 * After the errno an `error` repeats the request, only its header if capped; attributes follow.
 */
export const readAcknowledgement = ({ type, flags, body }: NetlinkMessage): Acknowledgement => {
  const errno = body.length >= 4 ? Math.abs(body.readInt32LE(0)) : 0;
  if ((flags & answerFlag.hasAttributes) === 0) return { errno, text: undefined };
  const repeated = type === messageType.error ? repeatedLength(body, flags) : 0;
  const attributes = readAttributes(body.subarray(4 + repeated));
  return { errno, text: readText(attributes.get(extendedAck.message)) };
};

const repeatedLength = (body: Buffer, flags: number): number => {
  if ((flags & answerFlag.capped) !== 0) return headerLength;
  return aligned(readNumber(body.subarray(4)) ?? 0);
};
