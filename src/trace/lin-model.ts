import { linChecksum } from '../frame/lin.ts';

/**
 * Whether a checksum is enhanced, for files that tell the checksum but not its model; undefined
 * where it fits neither of the two.
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
