import { hexDigits } from '../frame/hex-bytes.ts';
import { uint16At, uintAt } from './big-endian.ts';
import { nrcName } from './nrc.ts';
import {
  hasSubFunction,
  isKnownService,
  negativeResponse,
  responseBit,
  serviceName,
  sid,
  subFunctionName,
  suppressBit,
} from './services.ts';

/** What is known of data identifiers; a map of definitions serves. */
export interface KnownDids {
  get(did: number): { readonly name?: string; readonly length?: number } | undefined;
}

/** Identifiers that a line shows. */
const maxShown = 8;

const didWords = (did: number, dids: KnownDids | undefined): string => {
  const name = dids?.get(did)?.name;
  return name === undefined ? hexDigits(did, 4) : `${hexDigits(did, 4)} (${name})`;
};

/** Identifiers from the second byte; in a response, each is followed by a value. */
const didsIn = (payload: Uint8Array, isResponse: boolean, dids: KnownDids | undefined): string => {
  const shown: string[] = [];
  let at = 1;
  while (at + 2 <= payload.length && shown.length < maxShown) {
    const did = uint16At(payload, at);
    shown.push(didWords(did, dids));
    at += 2;
    if (!isResponse) continue;
    const length = dids?.get(did)?.length;
    if (length === undefined) return shown.join(', ');
    at += length;
  }
  return at + 2 <= payload.length ? `${shown.join(', ')}, …` : shown.join(', ');
};

const dtcServices: ReadonlySet<number> = new Set([4, 6]);

/** What follows the name of a service and its sub-function. */
const operandOf = (
  service: number,
  payload: Uint8Array,
  isResponse: boolean,
  dids: KnownDids | undefined,
): string => {
  const { length } = payload;
  switch (service) {
    case sid.readDids:
      return didsIn(payload, isResponse, dids);
    case sid.writeDid:
    case sid.ioControl:
      return length < 3 ? '' : didWords(uint16At(payload, 1), dids);
    case sid.routine:
      return length < 4 ? '' : hexDigits(uint16At(payload, 2), 4);
    case sid.transfer:
      return length < 2 ? '' : `block ${payload[1]}`;
    case sid.readDtcs:
      return length < 5 || !dtcServices.has((payload[1] as number) & ~suppressBit)
        ? ''
        : hexDigits(uintAt(payload, 2, 3), 6);
    case sid.clearDtcs:
      return isResponse || length < 4 ? '' : hexDigits(uintAt(payload, 1, 3), 6);
    default:
      return '';
  }
};

const described = (
  service: number,
  payload: Uint8Array,
  isResponse: boolean,
  dids: KnownDids | undefined,
): string => {
  const words = [serviceName(service)];
  const subFunction = payload[1];
  const hasSub = hasSubFunction(service) && subFunction !== undefined;
  if (hasSub) words.push(subFunctionName(service, subFunction));
  words.push(operandOf(service, payload, isResponse, dids));
  if (hasSub && !isResponse && (subFunction & suppressBit) !== 0) {
    words.push('without positive response');
  }
  return words.filter((word) => word !== '').join(' ');
};

/** A request or response in one line of words. */
export const udsWords = (payload: Uint8Array, dids?: KnownDids): string => {
  const [first, service, code] = payload;
  if (first === undefined) return 'Empty payload';
  if (first === negativeResponse) {
    if (service === undefined) return 'Negative response';
    const to = `Negative response to ${serviceName(service)}`;
    return code === undefined ? to : `${to}: 0x${hexDigits(code, 2)} ${nrcName(code)}`;
  }
  const asked = first & ~responseBit;
  if ((first & responseBit) !== 0 && isKnownService(asked)) {
    return `Positive response to ${described(asked, payload, true, dids)}`;
  }
  const words = described(first, payload, false, dids);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
