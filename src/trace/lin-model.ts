import { linChecksum } from '../frame/lin.ts';

/**
 * Returns whether a checksum is enhanced, for files without the model; undefined if it matches
 * neither.
 */
export const linModelOf = (
  checksum: number,
  id: number,
  data: Uint8Array,
  from: number,
  length: number,
): boolean | undefined => {
  if (checksum === linChecksum(false, id, data, from, length)) return false;
  return checksum === linChecksum(true, id, data, from, length) ? true : undefined;
};
