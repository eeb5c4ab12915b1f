import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { maxExtendedId, maxStandardId } from '../../frame/frame.ts';

export const addressingModes = ['normal', 'normal_fixed', 'extended', 'mixed'] as const;
export type AddressingMode = (typeof addressingModes)[number];

/** Identifier and address byte of the frames in one direction. */
export interface IsotpAddress {
  readonly id: number;
  readonly extended: boolean;
  readonly addressByte: number | null;
}

/** Identifiers have 29 bits; above them an address has whether it is extended, and its byte. */
const idSpan = 2 ** 29;

/** A number per address. With an 11-bit identifier alone it is that identifier. */
export const addressKey = ({ id, extended, addressByte }: IsotpAddress): number =>
  id + (extended ? idSpan : 0) + (addressByte === null ? 0 : addressByte + 1) * 2 * idSpan;

/** The identifier of an address. */
export const idOfKey = (key: number): number => key % idSpan;

/** The address byte of an address. */
export const byteOfKey = (key: number): number | null => {
  const byte = Math.floor(key / (2 * idSpan)) - 1;
  return byte < 0 ? null : byte;
};

export interface IsotpPair {
  readonly mode: AddressingMode;
  readonly request: IsotpAddress;
  readonly response: IsotpAddress;
  readonly functional: IsotpAddress | null;
}

export interface IsotpPairSettings {
  readonly addressing?: AddressingMode | undefined;
  readonly request_id?: number | undefined;
  readonly response_id?: number | undefined;
  readonly functional_id?: number | undefined;
  /** 29-bit identifiers. Default: whether one of them needs 29 bits. */
  readonly extended?: boolean | undefined;
  /** Address of the tester. */
  readonly source?: number | undefined;
  /** Address of the ECU. */
  readonly target?: number | undefined;
  /** Address of functional requests. */
  readonly functional_target?: number | undefined;
  readonly address_extension?: number | undefined;
}

const byteFields = ['source', 'target', 'functional_target', 'address_extension'] as const;
const idFields = ['request_id', 'response_id', 'functional_id'] as const;
type NumberField = (typeof byteFields | typeof idFields)[number];

/**
 *     mode          identifiers                                   address byte
 *     normal        request_id, response_id                       none
 *     normal_fixed  18DA target source, 18DA source target        none
 *     extended      request_id, response_id                       target, source; functional_target
 *                                                                 or target in functional requests
 *     mixed 11      request_id, response_id                       address_extension
 *     mixed 29      18CE target source, 18CE source target        address_extension
 */
const fixedBase = { normal_fixed: 0x18da_0000, mixed: 0x18ce_0000 } as const;

const required = (settings: IsotpPairSettings, field: NumberField, why: string): number => {
  const value = settings[field];
  if (value !== undefined) return value;
  throw invalidArgument(field, `${why} needs ${field}`, { reason: 'needed_in_mode' });
};

const refused = (
  settings: IsotpPairSettings,
  fields: readonly NumberField[],
  why: string,
): void => {
  for (const field of fields) {
    if (settings[field] === undefined) continue;
    throw invalidArgument(field, `${why} has no ${field}`, { reason: 'not_in_mode' });
  }
};

const checkRange = (settings: IsotpPairSettings, field: NumberField, limit: number): void => {
  const value = settings[field];
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= limit)) return;
  throw invalidArgument(field, `${field} must be a whole number from 0 to ${limit}`, {
    reason: 'out_of_range',
    limit,
  });
};

const nameOf = (mode: AddressingMode, isFixed: boolean): string =>
  `${mode} addressing${mode === 'mixed' && isFixed ? ' with 29 bits' : ''}`;

/** The addresses of a link. A rejected setting is named in the error. */
export const isotpPair = (settings: IsotpPairSettings): IsotpPair => {
  const mode = settings.addressing ?? 'normal';
  const { extended: given, source, target, functional_id: functionalId } = settings;
  for (const field of byteFields) checkRange(settings, field, 0xff);
  for (const field of idFields) checkRange(settings, field, maxExtendedId);

  const isWide = idFields.some((field) => (settings[field] ?? 0) > maxStandardId);
  const isMixedFixed =
    mode === 'mixed' && (given ?? (isWide || source !== undefined || target !== undefined));
  const isFixed = mode === 'normal_fixed' || isMixedFixed;
  const why = nameOf(mode, isFixed);
  if (isFixed && given === false) {
    throw invalidArgument('extended', `${why} has 29-bit identifiers`, { reason: 'not_in_mode' });
  }
  const extended = isFixed || (given ?? isWide);
  if (!extended) for (const field of idFields) checkRange(settings, field, maxStandardId);

  const hasBytes = mode === 'extended' || isFixed;
  if (isFixed) refused(settings, ['request_id', 'response_id'], why);
  if (!hasBytes) refused(settings, ['source', 'target'], why);
  if (mode !== 'mixed') refused(settings, ['address_extension'], why);
  if (mode !== 'extended') refused(settings, ['functional_target'], why);
  if (functionalId === undefined) {
    refused(settings, ['functional_target'], `${why} without functional_id`);
  }

  let requestByte: number | null = null;
  let responseByte: number | null = null;
  if (mode === 'mixed') {
    requestByte = required(settings, 'address_extension', why);
    responseByte = requestByte;
  } else if (mode === 'extended') {
    requestByte = required(settings, 'target', why);
    responseByte = required(settings, 'source', why);
  }

  let requestId: number;
  let responseId: number;
  if (isFixed) {
    const base = fixedBase[mode === 'mixed' ? mode : 'normal_fixed'];
    const to = required(settings, 'target', why);
    const from = required(settings, 'source', why);
    requestId = base + (to << 8) + from;
    responseId = base + (from << 8) + to;
  } else {
    requestId = required(settings, 'request_id', why);
    responseId = required(settings, 'response_id', why);
  }
  if (requestId === responseId && requestByte === responseByte) {
    const field = isFixed ? 'target' : 'response_id';
    throw invalidArgument(field, 'Requests and responses have the same address', {
      reason: 'same_address',
    });
  }
  return {
    mode,
    request: { id: requestId, extended, addressByte: requestByte },
    response: { id: responseId, extended, addressByte: responseByte },
    functional:
      functionalId === undefined
        ? null
        : {
            id: functionalId,
            extended,
            addressByte: settings.functional_target ?? requestByte,
          },
  };
};
