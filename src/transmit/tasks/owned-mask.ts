import { bitOf } from '../../database/layout.ts';
import type { Signal } from '../../database/model.ts';

export type BitPlace = Pick<Signal, 'startBit' | 'length' | 'byteOrder'>;

/** One bit for each bit of these places. */
export const ownedMask = (places: readonly BitPlace[], bytes: number): Uint8Array => {
  const mask = new Uint8Array(bytes);
  for (const place of places) {
    for (let index = 0; index < place.length; index++) {
      const bit = bitOf(place, index);
      mask[bit >> 3] = (mask[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return mask;
};

export const isInMask = (mask: Uint8Array, place: BitPlace): boolean => {
  for (let index = 0; index < place.length; index++) {
    const bit = bitOf(place, index);
    if ((((mask[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1) return true;
  }
  return false;
};
