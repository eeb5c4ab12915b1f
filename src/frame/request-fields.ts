import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { type ChecksumModel, linFrameTypes, maxExtendedId, maxStandardId } from './frame.ts';
import type { Bus } from './frm2-layout.ts';
import { readId, unclearWidth, widthOf } from './id-pattern.ts';

export const frameTypes = ['data', 'remote', ...linFrameTypes] as const;
export type FrameType = (typeof frameTypes)[number];

export type RequestedId = number | string;

/** Frame part of a send request, before validation. */
export interface FrameRequest {
  /** Default: `data` on CAN, `master-write` on LIN. */
  readonly type?: FrameType;
  /** Required except for a sync break. */
  readonly id?: RequestedId;
  readonly extended?: boolean;
  readonly fd?: boolean;
  readonly brs?: boolean;
  readonly esi?: boolean;
  /** Default: the smallest DLC for the data. */
  readonly dlc?: number;
  /** Hex, with optional separators between bytes. */
  readonly data?: string;
  /** LIN only. Default: the channel's model. */
  readonly checksum?: ChecksumModel;
}

export const notOnBus = (field: string, what: string, bus: Bus): BusbarError =>
  invalidArgument(field, `${what} is not available on a ${bus} channel`, {
    reason: 'not_on_bus',
    bus,
  });

export interface Identity {
  readonly id: number;
  readonly extended: boolean;
}

export interface IdentityFields {
  readonly id: string;
  readonly extended: string;
}

export const givenNumber = (
  field: string,
  given: RequestedId,
  limit: number,
  hint = '',
): number => {
  const read = typeof given === 'string' ? readId(given) : { value: given };
  if ('reason' in read) {
    throw invalidArgument(field, `${field} ${read.words}`, { reason: read.reason });
  }
  const { value } = read;
  if (Number.isInteger(value) && value >= 0 && value <= limit) return value;
  const range = `0 to ${limit} (0x${limit.toString(16).toUpperCase()})`;
  throw invalidArgument(field, `${field} must be an integer from ${range}${hint}`, {
    reason: 'out_of_range',
    limit,
  });
};

/** Width that the digits determine; undefined for a number or ambiguous digits. */
export const writtenWidth = (given: RequestedId): boolean | undefined => {
  const read = typeof given === 'string' ? readId(given) : { reason: 'number' };
  return 'reason' in read ? undefined : (read.extended ?? undefined);
};

/**
 * Identifier of a request. A number has the width that `extended` specifies, 11 bits by
 * default. A string has the width of its digits unless `extended` widens it.
 */
export const givenIdentity = (
  given: RequestedId,
  extended: boolean | undefined,
  fields: IdentityFields = { id: 'id', extended: 'extended' },
): Identity => {
  if (typeof given === 'number') {
    if (extended === true) return { id: givenNumber(fields.id, given, maxExtendedId), extended };
    const hint = `; set ${fields.extended} for a 29-bit identifier`;
    return { id: givenNumber(fields.id, given, maxStandardId, hint), extended: false };
  }
  const id = givenNumber(fields.id, given, maxExtendedId);
  const written = writtenWidth(given);
  if (extended === false && written === true) {
    const message = `${fields.extended} contradicts the identifier ${given}, which is 29-bit`;
    throw invalidArgument(fields.extended, message, { reason: 'contradiction', id: given });
  }
  const width = extended ?? written;
  if (width !== undefined) return { id, extended: width };
  const { reason, words } = unclearWidth(given);
  throw invalidArgument(fields.id, `${fields.id} ${words}`, { reason });
};

export const givenIdOfWidth = (field: string, given: RequestedId, extended: boolean): number => {
  const written = writtenWidth(given);
  if (written !== undefined && written !== extended) {
    const message = `${field} ${given} has ${widthOf(written)}, not ${widthOf(extended)}`;
    throw invalidArgument(field, message, { reason: 'mixed_widths' });
  }
  return givenNumber(field, given, extended ? maxExtendedId : maxStandardId);
};

export const requestedId = ({ id }: FrameRequest): RequestedId => {
  if (id !== undefined) return id;
  throw invalidArgument('id', 'id is required', { reason: 'missing' });
};

export const requestedDlc = (request: FrameRequest, limit: number): number | undefined => {
  const { dlc } = request;
  if (dlc !== undefined && (!Number.isInteger(dlc) || dlc < 0 || dlc > limit)) {
    throw invalidArgument('dlc', `dlc must be an integer from 0 to ${limit}`, {
      reason: 'out_of_range',
      limit,
    });
  }
  return dlc;
};

export const dlcDisagrees = (dlc: number, means: number, length: number): BusbarError =>
  invalidArgument('dlc', `dlc ${dlc} means ${means} data bytes, but data has ${length}`, {
    reason: 'disagrees',
    length,
  });

export const refuseData = (request: FrameRequest, what: string): void => {
  if (request.data === undefined || request.data === '') return;
  throw invalidArgument('data', `${what} has no data`, { reason: 'no_data_allowed' });
};
