import { packBits } from '../../pdu/packed-bits.ts';
import { DataModel } from '../data-model.ts';
import type { PresetRange } from './map-ranges.ts';

/** Items filled per turn, to meet the thread's deadlines. */
const itemsPerTurn = 4096;

const fill = (model: DataModel, { table, address, items }: PresetRange, from: number): void => {
  const part = items.subarray(from, from + itemsPerTurn);
  const at = address + from;
  if (table === 'input' || table === 'holding') model.tables[table].write(at, part);
  else {
    const bits = Array.from(part, (bit) => bit === 1);
    model.tables[table].write(at, bits.length, packBits(bits));
  }
};

export const mappedModel = async (
  ranges: readonly PresetRange[],
  nextTurn: () => Promise<void>,
): Promise<DataModel> => {
  const model = new DataModel(ranges);
  let filled = 0;
  for (const range of ranges) {
    for (let from = 0; from < range.items.length; from += itemsPerTurn) {
      if (filled >= itemsPerTurn) {
        await nextTurn();
        filled = 0;
      }
      fill(model, range, from);
      filled += Math.min(itemsPerTurn, range.items.length - from);
    }
  }
  return model;
};
