import { found, under } from './findings.mjs';
import { mapOf, objectOf } from './json.mjs';
import { compareSchemas } from './schema.mjs';

/** @import { Direction, Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Documents } from './schema.mjs' */

/**
 * Compares what a body, response or parameter holds, media type by media type.
 *
 * @param {Documents} documents
 * @param {Direction} direction
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Finding[]}
 */
export function compareContent(documents, direction, before, after) {
  const is = mediaTypesOf(after);
  return [...mediaTypesOf(before)].flatMap(([mediaType, media]) => {
    const same = is.get(mediaType);
    if (!same) return [found('media type removed', mediaType)];
    return under(mediaType, compareSchemas(documents, direction, media.schema, same.schema));
  });
}

/**
 * @param {unknown} content
 * @returns {Map<string, JsonObject>}
 */
const mediaTypesOf = (content) =>
  new Map([...mapOf(content)].map(([name, media]) => [name.toLowerCase(), objectOf(media)]));
