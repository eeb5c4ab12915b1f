import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { type DataTable, tableRows } from '../pdu/data-tables.ts';
import { addressSpace, limits } from '../pdu/function-codes.ts';

export interface ReadPart {
  readonly address: number;
  readonly count: number;
}

/**
 * Divides a read into as few requests as the protocol allows. No value of so many registers, one
 * behind the other from the address on, is divided: its halves could be of different moments.
 */
export const readParts = (
  table: DataTable,
  address: number,
  count: number,
  registersPerValue: number,
): readonly ReadPart[] => {
  if (!Number.isInteger(count) || count < 1 || address + count > addressSpace) {
    throw invalidArgument('count', `${count} items from address ${address} on cannot be read`, {
      reason: 'range',
      minimum: 1,
      maximum: addressSpace - address,
    });
  }
  const limit = tableRows[table].holdsBits
    ? limits.readBits
    : limits.readRegisters - (limits.readRegisters % registersPerValue);
  const parts: ReadPart[] = [];
  for (let done = 0; done < count; done += limit) {
    parts.push({ address: address + done, count: Math.min(limit, count - done) });
  }
  return parts;
};
