/**
 * Error codes of a controller as the id and the eight bytes that SocketCAN has for them. Its places
 * in the frame are numbered as the SJA1000 does.
 */
import {
  canErrorClass,
  canErrorLength,
  canErrorLocation,
  canProtocolError,
} from '../../frame/can-error-frame.ts';
import { errorCodeFlag } from './blf-layout.ts';

export const errorDetailsLength = canErrorLength;

const detail = { protocol: 2, location: 3 } as const;
const { transmitting } = canProtocolError;

/** Bit, form, stuff and other, as both kinds of code begin. */
const protocolOfKind = Uint8Array.of(0x01, 0x02, 0x04, 0x00);

const coreKind = { crc: 4, acknowledgeDelimiter: 5, noAcknowledge: 7 } as const;
/** In the two topmost bits; the upper bit tells a real error from a missing acknowledge. */
const coreDirection = { isError: 2, isTransmitting: 1 } as const;

const put = (into: Uint8Array, at: number, protocol: number, place: number): void => {
  into.fill(0, at, at + errorDetailsLength);
  into[at + detail.protocol] = protocol;
  into[at + detail.location] = place;
};

const putSja1000 = (code: number, into: Uint8Array, at: number): number => {
  const isReceiving = (code & 0x20) !== 0;
  const protocol = (protocolOfKind[code >> 6] as number) | (isReceiving ? 0 : transmitting);
  put(into, at, protocol, code & 0x1f);
  return canErrorClass.protocol | canErrorClass.busError;
};

const placeOfCoreKind = (kind: number): number => {
  if (kind === coreKind.crc) return canErrorLocation.crcSequence;
  return kind === coreKind.acknowledgeDelimiter ? canErrorLocation.acknowledgeDelimiter : 0;
};

const putCore = (code: number, into: Uint8Array, at: number): number => {
  const kind = code & 0x3f;
  const way = code >> 6;
  const sent = (way & coreDirection.isTransmitting) !== 0 ? transmitting : 0;
  if ((way & coreDirection.isError) === 0 || kind === coreKind.noAcknowledge) {
    put(into, at, sent, canErrorLocation.acknowledgeSlot);
    return canErrorClass.noAcknowledge | canErrorClass.busError;
  }
  put(into, at, (protocolOfKind[kind] ?? 0) | sent, placeOfCoreKind(kind));
  return canErrorClass.protocol | canErrorClass.busError;
};

/** Writes the details and answers the id; 0, and nothing written, if there is no code. */
export const putErrorDetails = (
  flags: number,
  code: number,
  into: Uint8Array,
  at: number,
): number => {
  if ((flags & errorCodeFlag.vectorCore) !== 0) return putCore(code, into, at);
  return (flags & errorCodeFlag.sja1000) !== 0 ? putSja1000(code, into, at) : 0;
};
