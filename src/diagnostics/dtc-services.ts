import { invalidArgument } from '../base/errors/busbar-error.ts';
import { formatHex, hexDigits } from '../frame/hex-bytes.ts';
import { uint16At, uintAt, uintBytes } from './big-endian.ts';
import { splitDids } from './did-services.ts';
import type { DidTable } from './dids.ts';
import { dtcStatusWords, dtcText, parseDtc } from './dtcs.ts';
import { expectResponse, malformed } from './read-response.ts';
import { sid } from './services.ts';
import type { UdsClear, UdsDtcs } from './uds-record.ts';

const count = 0x01;
const byMask = 0x02;
const snapshot = 0x04;
const extendedData = 0x06;
const supported = 0x0a;

/** Record number that means all. */
const allRecords = 0xff;
const allDtcs = 0xffffff;

export type DtcRequest =
  | { readonly report: 'count' | 'mask'; readonly mask?: number | undefined }
  | { readonly report: 'supported' }
  | {
      readonly report: 'snapshot' | 'extended';
      readonly dtc: string;
      readonly record?: number | undefined;
    };

const requireDtc = (text: string, field: string): number => {
  const dtc = parseDtc(text);
  if (dtc !== null) return dtc;
  const message = `${text} is no DTC: ${field} takes six hex digits, or text such as P0123-45`;
  throw invalidArgument(field, message);
};

export const dtcRequest = (request: DtcRequest): Uint8Array => {
  switch (request.report) {
    case 'count':
    case 'mask': {
      const subFunction = request.report === 'count' ? count : byMask;
      return Uint8Array.of(sid.readDtcs, subFunction, request.mask ?? 0xff);
    }
    case 'supported':
      return Uint8Array.of(sid.readDtcs, supported);
    default: {
      const { report, record = allRecords } = request;
      const dtc = uintBytes(requireDtc(request.dtc, report), 3);
      const subFunction = report === 'snapshot' ? snapshot : extendedData;
      return Uint8Array.of(sid.readDtcs, subFunction, ...dtc, record);
    }
  }
};

const nothing: UdsDtcs = {
  availability_mask: null,
  format: null,
  count: 0,
  dtcs: [],
  snapshots: [],
  extended_data: [],
};

const dtcAt = (response: Uint8Array, at: number): UdsDtcs['dtcs'][number] => {
  const dtc = uintAt(response, at, 3);
  const status = response[at + 3] as number;
  return {
    dtc: hexDigits(dtc, 6),
    text: dtcText(dtc),
    status,
    status_bits: dtcStatusWords(status),
  };
};

/** Each of 4 bytes, from byte 3. */
const listIn = (response: Uint8Array): UdsDtcs => {
  if (response.length === 2) return nothing;
  if ((response.length - 3) % 4 !== 0) {
    throw malformed(response, `has ${response.length} bytes, which are no list of DTCs`);
  }
  const dtcs = Array.from({ length: (response.length - 3) / 4 }, (_, index) =>
    dtcAt(response, 3 + 4 * index),
  );
  return { ...nothing, availability_mask: response[2] as number, count: dtcs.length, dtcs };
};

const countIn = (response: Uint8Array): UdsDtcs => {
  if (response.length !== 6) throw malformed(response, `has ${response.length} of 6 bytes`);
  return {
    ...nothing,
    availability_mask: response[2] as number,
    format: response[3] as number,
    count: uint16At(response, 4),
  };
};

/**
 * Records after the DTC and its status:
 *
 *     | record | identifiers n | identifier, value | … | record | …
 *
 * Where an identifier without a known length begins, no further record can be found.
 */
const snapshotsIn = (response: Uint8Array, dids: DidTable): UdsDtcs['snapshots'] => {
  const snapshots: UdsDtcs['snapshots'][number][] = [];
  for (let at = 6; at < response.length; ) {
    if (at + 2 > response.length) throw malformed(response, `ends within a record`);
    const rest = response.subarray(at + 2);
    const wanted = response[at + 1] as number;
    const { values, end } = splitDids(rest, wanted, dids);
    const isWhole = values.length === wanted;
    const data = isWhole ? '' : formatHex(rest.subarray(end));
    snapshots.push({ record: response[at] as number, values, data });
    at = isWhole ? at + 2 + end : response.length;
  }
  return snapshots;
};

/** One record reaches to the end; the length of several is not known. */
const extendedDataIn = (response: Uint8Array): UdsDtcs['extended_data'] =>
  response.length === 6
    ? []
    : [{ record: response[6] as number, data: formatHex(response.subarray(7)) }];

export const dtcResponse = (response: Uint8Array, dids: DidTable): UdsDtcs => {
  expectResponse(response, sid.readDtcs, 2);
  switch (response[1]) {
    case count:
      return countIn(response);
    case byMask:
    case supported:
      return listIn(response);
    case snapshot:
    case extendedData: {
      if (response.length < 6) throw malformed(response, `has ${response.length} of 6 bytes`);
      const found = { ...nothing, count: 1, dtcs: [dtcAt(response, 2)] };
      return response[1] === snapshot
        ? { ...found, snapshots: snapshotsIn(response, dids) }
        : { ...found, extended_data: extendedDataIn(response) };
    }
    default:
      throw malformed(response, `has sub-function 0x${hexDigits(response[1] as number, 2)}`);
  }
};

/** Without a group, all DTCs are cleared. */
export const clearRequest = (group?: string | undefined): Uint8Array =>
  Uint8Array.of(
    sid.clearDtcs,
    ...uintBytes(group === undefined ? allDtcs : requireDtc(group, 'group'), 3),
  );

export const clearResponse = (request: Uint8Array, response: Uint8Array): UdsClear => {
  expectResponse(response, sid.clearDtcs, 1, 1);
  return { group: formatHex(request.subarray(1, 4)) };
};
