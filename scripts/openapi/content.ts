import { compareNamed, type Direction, type Documents, type Finding } from './comparison.ts';
import type { JsonObject } from './json.ts';
import { membersOf } from './reference.ts';
import { compareSchemas } from './schema.ts';

/** What a body, response, header or parameter holds: its `schema`, and one for each media type. */
export function compareContent(
  documents: Documents,
  direction: Direction,
  before: JsonObject,
  after: JsonObject,
): Finding[] {
  const compare = (was: JsonObject, is: JsonObject): readonly Finding[] =>
    compareSchemas(documents, direction, was.schema, is.schema);
  const was = membersOf(documents.before, before.content, (name) => name.toLowerCase());
  const is = membersOf(documents.after, after.content, (name) => name.toLowerCase());
  return [...compare(before, after), ...compareNamed(was, is, 'media type removed', compare)];
}
