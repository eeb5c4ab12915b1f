import { type Direction, type Documents, type Finding, found, under } from './comparison.ts';
import { type JsonObject, mapOf, objectOf } from './json.ts';
import { compareSchemas } from './schema.ts';

/** What a body, response, header or parameter holds: its `schema`, and one for each media type. */
export function compareContent(
  documents: Documents,
  direction: Direction,
  before: JsonObject,
  after: JsonObject,
): Finding[] {
  const is = mediaTypesOf(after);
  const findings = [...mediaTypesOf(before)].flatMap(([mediaType, media]) => {
    const same = is.get(mediaType);
    if (!same) return [found('media type removed', mediaType)];
    return under(mediaType, compareSchemas(documents, direction, media.schema, same.schema));
  });
  return [...compareSchemas(documents, direction, before.schema, after.schema), ...findings];
}

const mediaTypesOf = ({ content }: JsonObject): Map<string, JsonObject> =>
  new Map([...mapOf(content)].map(([name, media]) => [name.toLowerCase(), objectOf(media)]));
