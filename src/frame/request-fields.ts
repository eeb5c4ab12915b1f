import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { type ChecksumModel, linFrameTypes, maxExtendedId, maxStandardId } from './frame.ts';
import type { Bus } from './frm2-layout.ts';
import { readId, unclearWidth, widthOf } from './id-pattern.ts';

/** What can be sent, over all buses. */
export const frameTypes = ['data', 'remote', ...linFrameTypes] as const;
export type FrameType = (typeof frameTypes)[number];

/** An identifier, or a mask of one, in a request: a number, or hex as it is printed. */
export type GivenId = number | string;

/** The frame part of a request to send, before it is known whether such a frame exists. */
export interface FrameRequest {
  /** Left out: `data` on CAN, `master-write` on LIN. */
  readonly type?: FrameType;
  /** Required in all but a sync break. */
  readonly id?: GivenId;
  readonly extended?: boolean;
  readonly fd?: boolean;
  readonly brs?: boolean;
  readonly esi?: boolean;
  /** Left out: what the data needs. */
  readonly dlc?: number;
  /** Hex, with separators between bytes as the writer likes. */
  readonly data?: string;
  /** LIN only. Left out: the model of the channel. */
  readonly checksum?: ChecksumModel;
}

/** A refusal of something that only another kind of bus has. */
export const notOnBus = (field: string, what: string, bus: Bus): BusbarError =>
  invalidArgument(field, `${what} does not exist on a ${bus} channel`, {
    reason: 'not_on_bus',
    bus,
  });

/** An identifier of a request, and how wide it is. */
export interface Identity {
  readonly id: number;
  readonly extended: boolean;
}

/** What refusals call the fields that an identifier was read from. */
export interface IdentityFields {
  readonly id: string;
  readonly extended: string;
}

/** The number that a request gives for an identifier or a mask; refused above that limit. */
export const givenNumber = (field: string, given: GivenId, limit: number, hint = ''): number => {
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

/** The width that the digits of a text have; undefined for a number, and where they do not tell. */
export const writtenWidth = (given: GivenId): boolean | undefined => {
  const read = typeof given === 'string' ? readId(given) : { reason: 'number' };
  return 'reason' in read ? undefined : (read.extended ?? undefined);
};

/**
 * The identifier that a request gives. A number is as wide as `extended` says, 11 bits if that is
 * left out. A text is as wide as its digits unless `extended` says more.
 */
export const givenIdentity = (
  given: GivenId,
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
    const message = `${fields.extended} contradicts the identifier ${given}, which has 29 bits`;
    throw invalidArgument(fields.extended, message, { reason: 'contradiction', id: given });
  }
  const width = extended ?? written;
  if (width !== undefined) return { id, extended: width };
  const { reason, words } = unclearWidth(given);
  throw invalidArgument(fields.id, `${fields.id} ${words}`, { reason });
};

/** An identifier that has to be of that width, such as the one that a route sends with. */
export const givenIdOfWidth = (field: string, given: GivenId, extended: boolean): number => {
  const written = writtenWidth(given);
  if (written !== undefined && written !== extended) {
    const message = `${field} ${given} has ${widthOf(written)}, not ${widthOf(extended)}`;
    throw invalidArgument(field, message, { reason: 'mixed_widths' });
  }
  return givenNumber(field, given, extended ? maxExtendedId : maxStandardId);
};

/** The identifier of a request, which has to have one. */
export const requestedId = ({ id }: FrameRequest): GivenId => {
  if (id !== undefined) return id;
  throw invalidArgument('id', 'id is required', { reason: 'missing' });
};

/** The DLC of a request, if it gives one. */
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

/** A refusal of a DLC that means another number of bytes than there are. */
export const dlcDisagrees = (dlc: number, means: number, length: number): BusbarError =>
  invalidArgument('dlc', `dlc ${dlc} means ${means} data bytes, but data has ${length}`, {
    reason: 'disagrees',
    length,
  });

/** A refusal of data in a frame that carries none. */
export const refuseData = (request: FrameRequest, what: string): void => {
  if (request.data === undefined || request.data === '') return;
  throw invalidArgument('data', `${what} carries no data`, { reason: 'no_data_allowed' });
};
