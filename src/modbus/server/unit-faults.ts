import { type DataTable, tableOfRead } from '../pdu/data-tables.ts';
import { decodeRequest, type RefusedRequest } from '../pdu/decode-request.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { AddressRange } from './address-ranges.ts';

/** Items that a fault is about: all of a table where no range is told. */
export interface FaultItems {
  readonly table: DataTable;
  readonly range?: AddressRange;
}

/** What a unit does wrong on purpose, and with which requests. */
export interface UnitFault {
  /** Codes of the functions; all when left out. */
  readonly functions?: readonly number[];
  /** A request that touches one of them; any request when left out. */
  readonly items?: FaultItems;
  /** Requests are neither done nor answered. */
  readonly silent?: boolean;
  /** Answers come so much later. */
  readonly delayMs?: number;
  /** Requests are not done, and answered with this exception. */
  readonly exception?: number;
}

/** Items that a request reads or writes. */
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

/** The faults of a unit. Of those that fit a request, the first is the one it meets. */
export class UnitFaults {
  readonly #faults: readonly UnitFault[];
  /** Requests are decoded only where a fault asks for what is in them. */
  readonly #looksInside: boolean;

  constructor(faults: readonly UnitFault[]) {
    this.#faults = faults;
    this.#looksInside = faults.some(({ items }) => items !== undefined);
  }

  /** What the request with that PDU meets. */
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
