import { BusbarError } from '../../base/errors/busbar-error.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import { salvageFields } from '../../base/json/salvage-fields.ts';
import { withKeptArguments } from '../../operations/kept-arguments.ts';
import { limits } from '../../operations/limits.ts';

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** What a body says that is refused, where it can be told at all. Only for telling it back. */
const readLeniently = (bytes: Uint8Array, kept: readonly string[]): unknown => {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return salvageFields(text, kept);
  }
};

/**
 * Reads a request body: JSON in UTF-8, strictly, or nothing at all. A refusal tells the fields in
 * `kept` back.
 */
export const readJsonBody = (
  contentType: string | undefined,
  bytes: Uint8Array,
  kept: readonly string[] = [],
): unknown => {
  if (contentType === undefined && bytes.length === 0) return undefined;
  if (contentType === undefined || !jsonType.test(contentType)) {
    throw new BusbarError('unsupported_media_type');
  }
  try {
    return parseJsonBytes(bytes, { maxDepth: limits.jsonDepth });
  } catch (thrown) {
    throw kept.length > 0 ? withKeptArguments(kept, readLeniently(bytes, kept), thrown) : thrown;
  }
};
