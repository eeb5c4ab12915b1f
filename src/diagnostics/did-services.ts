import { invalidArgument } from '../base/errors/busbar-error.ts';
import { formatHex, hexDigits } from '../frame/hex-bytes.ts';
import { uint16At, uintBytes } from './big-endian.ts';
import type { Did, DidTable } from './dids.ts';
import { expectResponse, malformed } from './read-response.ts';
import { sid } from './services.ts';
import type { UdsDidValue, UdsIo, UdsRead, UdsWrite } from './uds-record.ts';

/** Identifiers of one request. */
const maxDids = 1024;

export const readDidsRequest = (dids: readonly Did[]): Uint8Array => {
  if (dids.length === 0 || dids.length > maxDids) {
    throw invalidArgument('dids', `A request reads 1 to ${maxDids} data identifiers`);
  }
  const unknown = dids.slice(0, -1).find(({ length }) => length === undefined);
  if (unknown !== undefined) {
    const message = `${unknown.text} must have a length in dids of the ECU unless it is read alone or last`;
    throw invalidArgument('dids', message);
  }
  return Uint8Array.from([sid.readDids, ...dids.flatMap(({ did }) => uintBytes(did, 2))]);
};

const didValue = (did: Did, bytes: Uint8Array): UdsDidValue => ({
  did: did.text,
  name: did.name ?? null,
  data: formatHex(bytes),
  ...did.decode(bytes),
});

/** Values in the order of the response; an ECU omits identifiers that it does not support. */
export const readDidsResponse = (response: Uint8Array, dids: readonly Did[]): UdsRead => {
  expectResponse(response, sid.readDids, 3);
  const asked = [...dids];
  const values: UdsDidValue[] = [];
  for (let at = 1; at < response.length; ) {
    const index =
      at + 2 <= response.length ? asked.findIndex(({ did }) => did === uint16At(response, at)) : -1;
    const [did] = index < 0 ? [] : asked.splice(index, 1);
    if (did === undefined) {
      throw malformed(response, `has no requested data identifier at byte ${at}`);
    }
    const end = did.length === undefined ? response.length : at + 2 + did.length;
    if (end > response.length) {
      const found = response.length - at - 2;
      throw malformed(response, `has ${found} bytes of ${did.text} instead of ${did.length}`);
    }
    values.push(didValue(did, response.subarray(at + 2, end)));
    at = end;
  }
  return { values };
};

/**
 * Values as long as identifiers have a known length, and where they end. Snapshots contain
 * identifiers that were not requested.
 */
export const splitDids = (
  bytes: Uint8Array,
  count: number,
  dids: DidTable,
): { readonly values: UdsDidValue[]; readonly end: number } => {
  const values: UdsDidValue[] = [];
  let at = 0;
  while (values.length < count && at + 2 <= bytes.length) {
    const did = dids.get(uint16At(bytes, at));
    const length = did?.length;
    if (did === undefined || length === undefined || at + 2 + length > bytes.length) break;
    values.push(didValue(did, bytes.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return { values, end: at };
};

export const writeDidRequest = (did: Did, value: string): Uint8Array =>
  Uint8Array.from([sid.writeDid, ...uintBytes(did.did, 2), ...did.encode(value)]);

const expectDid = (response: Uint8Array, did: Did): void => {
  const found = uint16At(response, 1);
  if (found !== did.did) throw malformed(response, `names ${hexDigits(found, 4)}`);
};

export const writeDidResponse = (response: Uint8Array, did: Did): UdsWrite => {
  expectResponse(response, sid.writeDid, 3, 3);
  expectDid(response, did);
  return { did: did.text, name: did.name ?? null };
};

/** `inputOutputControlParameter` by word (ISO 14229-1, annex E.1). */
export const ioControls = { return: 0, default: 1, freeze: 2, adjust: 3 } as const;

export interface IoRequest {
  readonly did: Did;
  readonly control: keyof typeof ioControls;
  /** Value to adjust to, in the codec of the identifier. */
  readonly value?: string | undefined;
  /** Control enable mask. */
  readonly mask?: Uint8Array | undefined;
}

export const ioRequest = ({
  did,
  control,
  value,
  mask = new Uint8Array(),
}: IoRequest): Uint8Array => {
  if ((control === 'adjust') !== (value !== undefined)) {
    throw invalidArgument('value', 'value is required to adjust, and has no meaning otherwise');
  }
  const state = value === undefined ? [] : did.encode(value);
  return Uint8Array.from([
    sid.ioControl,
    ...uintBytes(did.did, 2),
    ioControls[control],
    ...state,
    ...mask,
  ]);
};

export const ioResponse = (response: Uint8Array, did: Did): UdsIo => {
  expectResponse(response, sid.ioControl, 4);
  expectDid(response, did);
  return {
    did: did.text,
    name: did.name ?? null,
    control: response[3] as number,
    data: formatHex(response.subarray(4)),
  };
};
