import { parseHex } from '../frame/hex-bytes.ts';
import { uintAt, uintBytes } from './big-endian.ts';
import type { EcuModel } from './ecu-model.ts';
import { nrc } from './nrc.ts';
import { responseBit, sid } from './services.ts';

/** DTC format identifier of ISO 14229-1. */
const format = 1;
const allDtcs = 0xffffff;
/** Not completed since clear, and not completed this cycle (annex D.2). */
const cleared = 0x50;
const maxRecord = 4096;

interface StoredDtc {
  readonly dtc: number;
  readonly snapshot: Uint8Array | null;
  readonly extended: Uint8Array | null;
  status: number;
  isCleared: boolean;
}

const recordOf = (hex: string | undefined): Uint8Array | null =>
  hex === undefined ? null : parseHex(hex, { field: 'dtcs', maxLength: maxRecord });

/** DTCs of a server: 14, and 19 01, 02, 04, 06 and 0A. */
export class EcuDtcs {
  readonly #dtcs: readonly StoredDtc[];
  /** Status bits that it supports; only those of its file. */
  readonly #available: number;

  constructor(dtcs: EcuModel['dtcs']) {
    this.#dtcs = (dtcs ?? []).map(({ dtc, status, snapshot, extended }) => ({
      dtc: Number.parseInt(dtc, 16),
      status,
      snapshot: recordOf(snapshot),
      extended: recordOf(extended),
      isCleared: false,
    }));
    const usesCleared = this.#dtcs.some(({ status }) => (status & cleared) !== 0);
    this.#available = usesCleared ? 0xff : 0xff & ~cleared;
  }

  clear(request: Uint8Array): Uint8Array | number {
    if (request.length !== 4) return nrc.incorrectLength;
    const group = uintAt(request, 1, 3);
    const found = this.#dtcs.filter(({ dtc }) => group === allDtcs || dtc === group);
    if (group !== allDtcs && found.length === 0) return nrc.requestOutOfRange;
    for (const dtc of found) {
      dtc.status = cleared & this.#available;
      dtc.isCleared = true;
    }
    return Uint8Array.of(sid.clearDtcs | responseBit);
  }

  /** The sub-function has no suppress bit. */
  read(request: Uint8Array): Uint8Array | number {
    const subFunction = request[1] as number;
    const head = [sid.readDtcs | responseBit, subFunction];
    switch (subFunction) {
      case 0x01:
      case 0x02: {
        if (request.length !== 3) return nrc.incorrectLength;
        const mask = (request[2] as number) & this.#available;
        const found = this.#dtcs.filter(({ status }) => (status & mask) !== 0);
        if (subFunction === 0x02) return this.#list(head, found);
        return Uint8Array.of(...head, this.#available, format, ...uintBytes(found.length, 2));
      }
      case 0x0a:
        return request.length === 2 ? this.#list(head, this.#dtcs) : nrc.incorrectLength;
      case 0x04:
      case 0x06:
        return this.#records(head, request);
      default:
        return nrc.subFunctionNotSupported;
    }
  }

  #list(head: readonly number[], dtcs: readonly StoredDtc[]): Uint8Array {
    const listed = dtcs.flatMap(({ dtc, status }) => [...uintBytes(dtc, 3), status]);
    return Uint8Array.of(...head, this.#available, ...listed);
  }

  #records(head: readonly number[], request: Uint8Array): Uint8Array | number {
    if (request.length !== 6) return nrc.incorrectLength;
    const number = uintAt(request, 2, 3);
    const found = this.#dtcs.find(({ dtc }) => dtc === number);
    const record = request[5] as number;
    if (found === undefined || (record !== 1 && record !== 0xff)) return nrc.requestOutOfRange;
    const data = request[1] === 0x04 ? found.snapshot : found.extended;
    const isStored = data !== null && !found.isCleared;
    const shown = isStored ? [1, ...data] : [];
    return Uint8Array.of(...head, ...uintBytes(number, 3), found.status, ...shown);
  }
}
