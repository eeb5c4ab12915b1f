import { type Static, Type } from 'typebox';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { counted, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { fdLengths, maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { maxExtendedId } from '../../frame/frame.ts';
import { idForm, idText, readId } from '../../frame/id-pattern.ts';
import { linMasterRequestId, linSlaveResponseId, maxLinLength } from '../../frame/lin.ts';
import { addressingModes, type IsotpPair, isotpPair } from './addressing.ts';
import { functionalNad } from './lin-transport.ts';
import { maxShortLength } from './pci.ts';

const identifier = (description: string, example: number) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: maxExtendedId, 'x-hex': true }),
      Type.String({ pattern: idText, 'x-form': idForm }),
    ],
    {
      description: `${description}; a string is hex as printed`,
      'x-form': `an integer from 0 to 0x${maxExtendedId.toString(16).toUpperCase()}, or ${idForm}`,
      'x-hint': '<hex>',
      examples: [example],
    },
  );

const byteText = '^(?:0[xX])?[0-9A-Fa-f]{1,2}[hH]?$';
const byteForm = 'a byte in hex, such as F1';

const address = (description: string, example: number) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: 255, 'x-hex': true }),
      Type.String({ pattern: byteText, 'x-form': byteForm }),
    ],
    {
      description: `${description}; a string is hex`,
      'x-form': `an integer from 0 to 255, or ${byteForm}`,
      'x-hint': '<hex>',
      examples: [example],
    },
  );

const milliseconds = (description: string, usual: number) =>
  Type.Integer({
    description: `${description}; default: ${usual}`,
    minimum: 1,
    maximum: 600_000,
    examples: [usual],
  });

export const usualLink = {
  maxLength: 4095,
  maxLengthLimit: 1_000_000,
  p2Ms: 50,
  p2StarMs: 5000,
  frameMs: 1000,
  padding: 'CC',
} as const;

/** Fields of a diagnostic link, in the bench file and in requests that open one. */
export const linkFields = {
  nad: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 255,
      'x-hex': true,
      description:
        'Node address of an ECU on LIN. Requests use the MasterReq and SlaveResp slots of the running schedule',
      examples: [0x0a],
    }),
  ),
  request_id: Type.Optional(identifier('Identifier of requests', 0x7e0)),
  response_id: Type.Optional(identifier('Identifier of responses', 0x7e8)),
  functional_id: Type.Optional(identifier('Identifier of functional requests', 0x7df)),
  extended: Type.Optional(
    Type.Boolean({
      description: 'Whether identifiers have 29 bits; default: whether one of them needs them',
    }),
  ),
  addressing: Type.Optional(
    Type.Enum([...addressingModes], {
      description:
        'Addressing of ISO 15765-2; normal_fixed, and mixed with 29 bits, derive the identifiers from source and target; default: normal',
      examples: ['normal'],
    }),
  ),
  source: Type.Optional(address('Address of the tester', 0xf1)),
  target: Type.Optional(address('Address of the ECU', 0x10)),
  functional_target: Type.Optional(
    address('Address of functional requests in extended addressing; default: target', 0xdf),
  ),
  address_extension: Type.Optional(address('Address extension of mixed addressing', 0x99)),
  fd: Type.Optional(Type.Boolean({ description: 'CAN FD frames; default: false' })),
  brs: Type.Optional(
    Type.Boolean({ description: 'Data at the data bit rate; default: whether fd is true' }),
  ),
  tx_dl: Type.Optional(
    Type.Enum([...fdLengths.slice(maxClassicLength)], {
      description: 'Longest frame sent, in bytes; default: 8, or 64 with fd',
      examples: [maxFdLength],
    }),
  ),
  padding: Type.Optional(
    Type.String({
      description: `Byte that fills frames, in hex, or none; default: ${usualLink.padding}`,
      pattern: '^(none|[0-9A-Fa-f]{2})$',
      'x-form': 'two hex digits, or none',
      examples: [usualLink.padding],
    }),
  ),
  block_size: Type.Optional(
    Type.Integer({
      description: 'Frames that the ECU may send before the next flow control; default: 0, all',
      minimum: 0,
      maximum: 255,
      examples: [0],
    }),
  ),
  st_min_us: Type.Optional(
    Type.Integer({
      description:
        'STmin of our flow control in microseconds: 100 to 900, or whole milliseconds up to 127000; default: 0',
      minimum: 0,
      maximum: 127_000,
      examples: [0],
    }),
  ),
  max_length: Type.Optional(
    Type.Integer({
      description: `Longest response in bytes; default: ${usualLink.maxLength}`,
      minimum: 8,
      maximum: usualLink.maxLengthLimit,
      examples: [usualLink.maxLength],
    }),
  ),
  p2_ms: Type.Optional(milliseconds('P2: time until a response begins', usualLink.p2Ms)),
  p2_star_ms: Type.Optional(
    milliseconds('P2*: the same after a pending response', usualLink.p2StarMs),
  ),
  n_as_ms: Type.Optional(milliseconds('N_As: time to send a frame', usualLink.frameMs)),
  n_bs_ms: Type.Optional(milliseconds('N_Bs: time until a flow control', usualLink.frameMs)),
  n_cr_ms: Type.Optional(
    milliseconds('N_Cr: time until the next consecutive frame', usualLink.frameMs),
  ),
  wait_max: Type.Optional(
    Type.Integer({
      description: 'Wait frames accepted in a row; default: 0, any number',
      minimum: 0,
      maximum: 255,
      examples: [0],
    }),
  ),
};

const LinkFields = Type.Object(linkFields);
export type LinkRequest = Readonly<Static<typeof LinkFields>>;

/** Settings of a link with all defaults. */
export const LinkSettings = Type.Object({
  addressing: Type.Enum([...addressingModes], {
    description: 'Frames on LIN are those of extended addressing',
  }),
  nad: nullable(counted('Node address on LIN; null on CAN')),
  request_id: counted('Identifier of requests'),
  response_id: counted('Identifier of responses'),
  functional_id: nullable(counted('Identifier of functional requests')),
  extended: Type.Boolean({ description: 'Whether identifiers have 29 bits' }),
  source: nullable(counted('Address of the tester')),
  target: nullable(counted('Address of the ECU')),
  functional_target: nullable(counted('Address of functional requests in extended addressing')),
  address_extension: nullable(counted('Address extension of mixed addressing')),
  fd: Type.Boolean(),
  brs: Type.Boolean(),
  tx_dl: counted('Longest frame sent, in bytes'),
  padding: Type.String({ description: 'Byte that fills frames, in hex, or none' }),
  block_size: counted('Frames that the ECU may send before the next flow control; 0 = all'),
  st_min_us: counted('STmin of our flow control'),
  max_length: counted('Longest response in bytes'),
  p2_ms: counted('P2 of the default session'),
  p2_star_ms: counted('P2* of the default session'),
  n_as_ms: counted('Time to send a frame'),
  n_bs_ms: counted('Time until a flow control'),
  n_cr_ms: counted('Time until the next consecutive frame'),
  wait_max: counted('Wait frames accepted in a row; 0 = any number'),
});
export type LinkSettings = RecordOf<typeof LinkSettings>;

type Identifier = number | string | undefined;

const idOf = (field: string, given: Identifier, isWide: (wide: boolean) => void) => {
  if (typeof given !== 'string') return given;
  const read = readId(given);
  if ('reason' in read) {
    throw invalidArgument(field, `${field} ${read.words}`, { reason: read.reason });
  }
  if (read.extended) isWide(true);
  return read.value;
};

const byteOf = (given: Identifier) =>
  typeof given === 'string'
    ? Number.parseInt(given.replace(/^0x/i, '').replace(/h$/i, ''), 16)
    : given;

const checkStMin = (us: number): void => {
  const isFine = us % 1000 === 0 || (us < 1000 && us % 100 === 0);
  if (isFine) return;
  throw invalidArgument('st_min_us', 'st_min_us must be 100 to 900, or whole milliseconds', {
    reason: 'not_encodable',
  });
};

const checkFd = ({ fd = false, brs, tx_dl: txDl }: LinkRequest): void => {
  if (fd) return;
  if (brs) throw invalidArgument('brs', 'brs needs fd', { reason: 'needs_fd' });
  if (txDl !== undefined && txDl > maxClassicLength) {
    throw invalidArgument('tx_dl', `tx_dl ${txDl} needs fd`, { reason: 'needs_fd' });
  }
};

export interface Link {
  readonly settings: LinkSettings;
  readonly pair: IsotpPair;
}

const timesOf = (request: LinkRequest) => ({
  p2_ms: request.p2_ms ?? usualLink.p2Ms,
  p2_star_ms: request.p2_star_ms ?? usualLink.p2StarMs,
  n_as_ms: request.n_as_ms ?? usualLink.frameMs,
  n_bs_ms: request.n_bs_ms ?? usualLink.frameMs,
  n_cr_ms: request.n_cr_ms ?? usualLink.frameMs,
});

const linFields = ['nad', 'max_length', 'p2_ms', 'p2_star_ms', 'n_as_ms', 'n_cr_ms'] as const;
const isLinField = (field: string): boolean => linFields.some((known) => known === field);

/** A master polls a slave with one address; all frames have 8 bytes and there is no flow control. */
const linLinkOf = (request: LinkRequest, nad: number): Link => {
  for (const field of Object.keys(linkFields) as (keyof typeof linkFields)[]) {
    if (request[field] === undefined || isLinField(field)) continue;
    throw invalidArgument(field, `An ECU with a nad has no ${field}`, { reason: 'not_in_mode' });
  }
  const addressOf = (id: number, addressByte: number) => ({ id, extended: false, addressByte });
  return {
    pair: {
      mode: 'extended',
      request: addressOf(linMasterRequestId, nad),
      response: addressOf(linSlaveResponseId, nad),
      functional: addressOf(linMasterRequestId, functionalNad),
    },
    settings: {
      addressing: 'extended',
      nad,
      request_id: linMasterRequestId,
      response_id: linSlaveResponseId,
      functional_id: linMasterRequestId,
      extended: false,
      source: null,
      target: null,
      functional_target: null,
      address_extension: null,
      fd: false,
      brs: false,
      tx_dl: maxLinLength,
      padding: 'FF',
      block_size: 0,
      st_min_us: 0,
      max_length: Math.min(request.max_length ?? usualLink.maxLength, maxShortLength),
      ...timesOf(request),
      wait_max: 0,
    },
  };
};

/** Fills in defaults. A rejected setting is named in the error. */
export const linkOf = (request: LinkRequest): Link => {
  if (request.nad !== undefined) return linLinkOf(request, request.nad);
  checkFd(request);
  const { fd = false, st_min_us: stMinUs = 0 } = request;
  checkStMin(stMinUs);
  let wide: boolean | undefined = request.extended;
  const isWide = (): void => {
    wide ??= true;
  };
  const pair = isotpPair({
    addressing: request.addressing,
    request_id: idOf('request_id', request.request_id, isWide),
    response_id: idOf('response_id', request.response_id, isWide),
    functional_id: idOf('functional_id', request.functional_id, isWide),
    source: byteOf(request.source),
    target: byteOf(request.target),
    functional_target: byteOf(request.functional_target),
    address_extension: byteOf(request.address_extension),
    ...(wide === undefined ? {} : { extended: wide }),
  });
  return {
    pair,
    settings: {
      addressing: pair.mode,
      nad: null,
      request_id: pair.request.id,
      response_id: pair.response.id,
      functional_id: pair.functional?.id ?? null,
      extended: pair.request.extended,
      source: byteOf(request.source) ?? null,
      target: byteOf(request.target) ?? null,
      functional_target: byteOf(request.functional_target) ?? null,
      address_extension: byteOf(request.address_extension) ?? null,
      fd,
      brs: request.brs ?? fd,
      tx_dl: request.tx_dl ?? (fd ? maxFdLength : maxClassicLength),
      padding: request.padding?.replace(/^[^n].*/, (hex) => hex.toUpperCase()) ?? usualLink.padding,
      block_size: request.block_size ?? 0,
      st_min_us: stMinUs,
      max_length: request.max_length ?? usualLink.maxLength,
      ...timesOf(request),
      wait_max: request.wait_max ?? 0,
    },
  };
};
