import { describe, expect, it } from 'vitest';
import { bytesOf } from '../pdu/testing/bytes-of.ts';
import { type UnitFault, UnitFaults } from './unit-faults.ts';

/** Faults of a request, by its index. */
const met = (faults: readonly UnitFault[], hex: string): number => {
  const pdu = bytesOf(hex);
  const bytes = new Uint8Array(pdu.length + 5);
  bytes.set(pdu, 3);
  const fault = new UnitFaults(faults).find(bytes, 3, pdu.length);
  return fault === undefined ? -1 : faults.indexOf(fault);
};

const range = { address: 100, count: 4 };
const holding: UnitFault = { items: { table: 'holding', range }, exception: 6 };
const coils: UnitFault = { items: { table: 'coil' }, silent: true };

describe('the faults of a unit', () => {
  it('are met by every request where nothing narrows them', () => {
    const always = [{ silent: true }];
    for (const hex of ['03 0000 0001', '06 0001 0002', '2B 0E 01 00', '63', '03']) {
      expect(met(always, hex)).toBe(0);
    }
  });

  it('are met by the functions that they name', () => {
    const faults = [{ functions: [3, 16], silent: true }];
    expect(met(faults, '03 0000 0001')).toBe(0);
    expect(met(faults, '10 0000 0001 02 0001')).toBe(0);
    expect(met(faults, '04 0000 0001')).toBe(-1);
  });

  it.each([
    ['03 0064 0001', 0],
    ['03 0067 0001', 0],
    ['03 0060 0005', 0],
    ['03 0060 0004', -1],
    ['03 0068 0001', -1],
    ['04 0064 0001', -1],
    ['06 0065 0001', 0],
    ['06 0068 0001', -1],
    ['16 0064 FFFF 0000', 0],
    ['10 0063 0002 04 0001 0002', 0],
    ['10 0062 0002 04 0001 0002', -1],
    ['17 0064 0001 0000 0001 02 0001', 0],
    ['17 0000 0001 0064 0001 02 0001', 0],
    ['17 0000 0001 0001 0001 02 0001', -1],
    ['2B 0E 01 00', -1],
    // A malformed request changes nothing.
    ['03 0064', -1],
  ])('are met by what touches their range: %s', (hex, place) => {
    expect(met([holding], hex)).toBe(place);
  });

  it.each([
    ['01 0000 0001', 0],
    ['05 0010 FF00', 0],
    ['0F 0000 0008 01 FF', 0],
    ['02 0000 0001', -1],
  ])('are met all over a table where no range is told: %s', (hex, place) => {
    expect(met([coils], hex)).toBe(place);
  });

  it('are met in their order, one at a time', () => {
    const faults = [holding, { functions: [3], delayMs: 5 }, { silent: true }];
    expect(met(faults, '03 0064 0001')).toBe(0);
    expect(met(faults, '03 0000 0001')).toBe(1);
    expect(met(faults, '04 0000 0001')).toBe(2);
  });
});
