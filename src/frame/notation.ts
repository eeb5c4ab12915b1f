/**
 * can-utils frame notation: `123#DEADBEEF`, `18FF50E5#01`, `123#R4`, `123##3AA` (CAN FD, with a
 * digit of flags), `123#1122334455667788_E` (a raw classic DLC above 8).
 */
import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { checkDataLength } from './can-request.ts';
import { lengthToDlc, maxClassicLength, maxFdLength } from './dlc.ts';
import { type CanFrame, maxExtendedId, maxStandardId } from './frame.ts';
import type { Bus } from './frm2-layout.ts';
import { hexDigits, parseHex } from './hex-bytes.ts';

const standardDigits = 3;
const extendedDigits = 8;
const linDigits = 2;

/** Marks eight digits as the class bits of an error frame. */
const errorBit = 0x2000_0000;

const fdFlag = { brs: 1, esi: 2, fd: 4 } as const;
const fdFlagBits = fdFlag.brs | fdFlag.esi | fdFlag.fd;

type Identity = Pick<CanFrame, 'id' | 'extended' | 'error'>;
type Content = Omit<CanFrame, keyof Identity>;

const refuse = (field: string, message: string, reason: string): BusbarError =>
  invalidArgument(field, `${field} ${message}`, { reason });

const parseIdentity = (text: string, field: string): Identity => {
  if (!/^[0-9a-f]*$/i.test(text)) throw refuse(field, 'must begin with hex digits', 'bad_id');
  const value = Number.parseInt(text, 16);
  if (text.length === standardDigits) {
    if (value <= maxStandardId) return { id: value, extended: false, error: false };
    throw refuse(
      field,
      'has an 11-bit identifier above 7FF; 29-bit identifiers have eight digits',
      'bad_id',
    );
  }
  if (text.length !== extendedDigits) {
    const found = text.length;
    throw refuse(field, `must begin with 3 or 8 hex digits and #, not with ${found}`, 'bad_id');
  }
  if (value <= maxExtendedId) return { id: value, extended: true, error: false };
  if (value <= (errorBit | maxExtendedId)) {
    return { id: value - errorBit, extended: false, error: true };
  }
  throw refuse(field, 'has a 29-bit identifier above 1FFFFFFF', 'bad_id');
};

const dataOf = (text: string, field: string, fd: boolean): Uint8Array => {
  const data = parseHex(text, { field, maxLength: maxFdLength, separators: '.' });
  checkDataLength(field, data.length, fd);
  return data;
};

const classic = { bus: 'can', remote: false, fd: false, brs: false, esi: false } as const;

const parseRemote = (text: string, field: string): Content => {
  const [, length, raw] = /^r([0-8]?)(?:_([9a-f]))?$/i.exec(text) ?? [];
  if (length === undefined || (raw !== undefined && length !== '8')) {
    const forms = 'R, R0 to R8, or R8_9 to R8_F';
    throw refuse(field, `has an invalid remote request; valid are ${forms}`, 'bad_remote');
  }
  const dlc = raw === undefined ? Number(length) : Number.parseInt(raw, 16);
  return { ...classic, remote: true, dlc, data: new Uint8Array(0) };
};

const parseFd = (text: string, field: string): Content => {
  const flags = Number.parseInt(text.charAt(0), 16);
  if (Number.isNaN(flags) || (flags & ~fdFlagBits) !== 0) {
    const meaning = '1 for BRS, 2 for ESI, 4 for FD';
    throw refuse(field, `needs a digit from 0 to 7 after ##: ${meaning}`, 'bad_flags');
  }
  const data = dataOf(text.slice(1), field, true);
  return {
    bus: 'canfd',
    remote: false,
    fd: true,
    brs: (flags & fdFlag.brs) !== 0,
    esi: (flags & fdFlag.esi) !== 0,
    dlc: lengthToDlc(data.length, true),
    data,
  };
};

const parseClassic = (text: string, field: string): Content => {
  const [bytes = '', raw, ...more] = text.split('_');
  const data = dataOf(bytes, field, false);
  if (raw === undefined) return { ...classic, dlc: data.length, data };
  if (data.length !== maxClassicLength || !/^[9a-f]$/i.test(raw) || more.length > 0) {
    throw refuse(field, 'allows _9 to _F only at the end, after 8 bytes', 'bad_raw_dlc');
  }
  return { ...classic, dlc: Number.parseInt(raw, 16), data };
};

export const parseNotation = (text: string, field = 'frame'): CanFrame => {
  const hash = text.indexOf('#');
  if (hash < 0) throw refuse(field, 'has no # between identifier and data', 'no_hash');
  const identity = parseIdentity(text.slice(0, hash), field);
  const rest = text.slice(hash + 1);
  const isFd = rest.startsWith('#');
  const isRemote = /^r/i.test(rest);
  if (identity.error && (isFd || isRemote)) {
    throw refuse(field, 'is an error frame, which cannot be remote or CAN FD', 'error_frame');
  }
  if (isFd) return { ...identity, ...parseFd(rest.slice(1), field) };
  return { ...identity, ...(isRemote ? parseRemote(rest, field) : parseClassic(rest, field)) };
};

export const formatCanId = (id: number, extended: boolean, error: boolean): string => {
  if (error) return hexDigits(errorBit + id, extendedDigits);
  return hexDigits(id, extended ? extendedDigits : standardDigits);
};

export interface NotedFrame extends Pick<CanFrame, 'id' | 'extended' | 'remote' | 'brs' | 'esi'> {
  readonly bus: Bus;
  readonly dlc: number;
  /** Uppercase hex without separators. */
  readonly data: string;
}

const dataDigits = 2 * maxClassicLength;

/** Frame notation as `message send` accepts it: that of can-utils, and `1A#0102` for LIN. */
export const formatNotation = (frame: NotedFrame): string => {
  const { bus, id, extended, remote, brs, esi, dlc, data } = frame;
  if (bus === 'lin') return `${hexDigits(id, linDigits)}#${data}`;
  const address = formatCanId(id, extended, false);
  if (bus === 'canfd') {
    return `${address}##${(brs ? fdFlag.brs : 0) | (esi ? fdFlag.esi : 0)}${data}`;
  }
  const raw = dlc > maxClassicLength ? `_${hexDigits(dlc, 1)}` : '';
  if (remote) return `${address}#R${dlc === 0 ? '' : Math.min(dlc, maxClassicLength)}${raw}`;
  return `${address}#${data}${data.length === dataDigits ? raw : ''}`;
};
