import { type DataTable, tableOfRead } from '../pdu/data-tables.ts';
import { decodeRequest, type RefusedRequest } from '../pdu/decode-request.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { AddressRange } from './address-ranges.ts';

export interface FaultItems {
  readonly table: DataTable;
  readonly range?: AddressRange;
}

export interface UnitFault {
  readonly functions?: readonly number[];
  /** Matches requests that touch any of these items; all requests if omitted. */
  readonly items?: FaultItems;
  readonly silent?: boolean;
  readonly delayMs?: number;
  readonly exception?: number;
}

interface Touched extends AddressRange {
  readonly table: DataTable;
}

const touchedBy = (request: ModbusRequest | RefusedRequest): readonly Touched[] => {
  switch (request.kind) {
    case 'read_bits':
    case 'read_registers':
      return [{ table: tableOfRead(request.function), ...request }];
    case 'read_write_registers': {
      const { writeAddress, writeCount } = request;
      return [
        { table: 'holding', ...request },
        { table: 'holding', address: writeAddress, count: writeCount },
      ];
    }
    case 'write_coil':
      return [{ table: 'coil', address: request.address, count: 1 }];
    case 'write_coils':
      return [{ table: 'coil', ...request }];
    case 'write_register':
    case 'mask_write':
      return [{ table: 'holding', address: request.address, count: 1 }];
    case 'write_registers':
      return [{ table: 'holding', ...request }];
    default:
      return [];
  }
};

const overlap = (one: AddressRange, other: AddressRange): boolean =>
  one.address < other.address + other.count && other.address < one.address + one.count;

const concerns = ({ table, range }: FaultItems, touched: Touched): boolean =>
  touched.table === table && (range === undefined || overlap(range, touched));

/** Faults of a unit. The first match applies. */
export class UnitFaults {
  readonly #faults: readonly UnitFault[];
  /** Requests are decoded only if a fault depends on their content. */
  readonly #looksInside: boolean;

  constructor(faults: readonly UnitFault[]) {
    this.#faults = faults;
    this.#looksInside = faults.some(({ items }) => items !== undefined);
  }

  find(bytes: Uint8Array, at: number, length: number): UnitFault | undefined {
    const code = bytes[at] as number;
    const touched = this.#looksInside ? touchedBy(decodeRequest(bytes, at, length)) : [];
    return this.#faults.find(
      ({ functions, items }) =>
        (functions === undefined || functions.includes(code)) &&
        (items === undefined || touched.some((range) => concerns(items, range))),
    );
  }
}
