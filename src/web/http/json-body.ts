import { BusbarError } from '../../base/errors/busbar-error.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import { limits } from '../../operations/limits.ts';

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Reads a request body: JSON in UTF-8, strictly, or nothing at all. */
export const readJsonBody = (contentType: string | undefined, bytes: Uint8Array): unknown => {
  if (contentType === undefined && bytes.length === 0) return undefined;
  if (contentType === undefined || !jsonType.test(contentType)) {
    throw new BusbarError('unsupported_media_type');
  }
  return parseJsonBytes(bytes, { maxDepth: limits.jsonDepth });
};
