import { dataTables } from '../../pdu/data-tables.ts';
import type { UnitFault } from '../unit-faults.ts';
import type { PresetRange } from './map-ranges.ts';
import type { UnitMap } from './parse-map.ts';

/**
 * Maps in a form that can be posted to another thread. Deserializing thousands of objects takes many
 * milliseconds, two arrays almost none:
 *
 * ```
 *   layout  unit, ranges, { table, address, count, writable, items } for each range, next unit …
 *   items   items of the first range, items of the second range …
 * ```
 */
export interface PackedMaps {
  readonly layout: Uint32Array;
  readonly items: Uint16Array;
  readonly faults: readonly (readonly UnitFault[])[];
}

const wordsPerUnit = 2;
const wordsPerRange = 5;

export const packMaps = (units: readonly UnitMap[]): PackedMaps => {
  const layout: number[] = [];
  const ranges = units.flatMap((unit) => unit.ranges);
  const items = new Uint16Array(ranges.reduce((sum, range) => sum + range.items.length, 0));
  let itemsAt = 0;
  for (const unit of units) {
    layout.push(unit.unit, unit.ranges.length);
    for (const range of unit.ranges) {
      const { table, address, count, writable } = range;
      const [place, isWritable] = [dataTables.indexOf(table), writable ? 1 : 0];
      layout.push(place, address, count, isWritable, range.items.length);
      items.set(range.items, itemsAt);
      itemsAt += range.items.length;
    }
  }
  return { layout: Uint32Array.from(layout), items, faults: units.map((unit) => unit.faults) };
};

export function* unpackMaps({ layout, items, faults }: PackedMaps): Generator<UnitMap> {
  let at = 0;
  let itemsAt = 0;
  for (const unitFaults of faults) {
    const [unit = 0, count = 0] = layout.subarray(at, at + wordsPerUnit);
    at += wordsPerUnit;
    const ranges: PresetRange[] = [];
    for (let index = 0; index < count; index += 1) {
      const words = layout.subarray(at, at + wordsPerRange);
      const [table = 0, address = 0, size = 0, writable, length = 0] = words;
      ranges.push({
        table: dataTables[table] ?? 'coil',
        address,
        count: size,
        writable: writable === 1,
        items: items.subarray(itemsAt, itemsAt + length),
      });
      at += wordsPerRange;
      itemsAt += length;
    }
    yield { unit, ranges, faults: unitFaults };
  }
}
