import { includesJson, isObject, listOf } from './json.mjs';
import { lookUp, nameOf } from './reference.mjs';

/** @import { JsonObject } from './json.mjs' */

/**
 * One shape a value may take: a single JSON type, and every keyword object that applies to it
 * at once. `{ type: ['string', 'null'] }` and `{ anyOf: [{ type: 'string' }, { type: 'null' }] }`
 * have the same alternatives, so the comparison never sees how a union was written down.
 *
 * @typedef {object} Alternative
 * @property {Kind} kind
 * @property {JsonObject[]} parts
 * @property {unknown[] | undefined} values the only values allowed, when they are listed
 * @property {string} label component name or title of the variant, empty when it has none
 */

/** @typedef {'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'} Kind */

/** @type {readonly Kind[]} */
export const everyKind = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/**
 * @param {JsonObject} document
 * @param {readonly unknown[]} schemas schemas that all apply to the same value
 * @returns {Alternative[]}
 */
export const alternativesOf = (document, schemas) =>
  branchesOf(document, schemas, new Set()).flatMap(splitByKind);

/**
 * The schemas themselves and all that they include through `$ref` and `allOf`, each once.
 *
 * @param {JsonObject} document
 * @param {readonly unknown[]} schemas
 * @param {Set<unknown>} [seen]
 * @returns {Set<unknown>}
 */
export function flatten(document, schemas, seen = new Set()) {
  for (const schema of schemas) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (!isObject(schema)) continue;
    if (typeof schema.$ref === 'string') flatten(document, [lookUp(document, schema.$ref)], seen);
    flatten(document, listOf(schema.allOf), seen);
  }
  return seen;
}

/** @typedef {{ parts: unknown[], label: string }} Branch */

/**
 * @param {JsonObject} document
 * @param {readonly unknown[]} schemas
 * @param {Set<unknown>} applied what already applies; it adds nothing and may be a cycle
 * @returns {Branch[]}
 */
function branchesOf(document, schemas, applied) {
  const parts = [...flatten(document, schemas)].filter((part) => !applied.has(part));
  const within = new Set([...applied, ...parts]);
  /** @type {Branch[]} */
  let branches = [{ parts, label: '' }];
  for (const part of parts.filter(isObject)) {
    for (const union of [part.anyOf, part.oneOf].filter(Array.isArray)) {
      const members = union.flatMap((member) =>
        branchesOf(document, [member], within).map((branch) => ({
          parts: branch.parts,
          label: branch.label || labelOf(member),
        })),
      );
      branches = branches.flatMap((left) =>
        members.map((right) => ({
          parts: [...left.parts, ...right.parts],
          label: right.label || left.label,
        })),
      );
    }
  }
  return branches;
}

/** @param {unknown} member */
function labelOf(member) {
  if (!isObject(member)) return '';
  if (typeof member.$ref === 'string') return nameOf(member.$ref);
  return typeof member.title === 'string' ? member.title : '';
}

/**
 * @param {Branch} branch
 * @returns {Alternative[]}
 */
function splitByKind({ parts: schemas, label }) {
  if (schemas.includes(false)) return [];
  const parts = schemas.filter(isObject);
  const listed = listedValues(parts);
  return everyKind
    .filter((kind) => parts.every((part) => allows(part.type, kind)))
    .map((kind) => ({ kind, parts, values: valuesOfKind(listed, kind), label }))
    .filter(({ values }) => values?.length !== 0);
}

/**
 * @param {unknown} type
 * @param {Kind} kind
 */
function allows(type, kind) {
  if (type === undefined) return true;
  const types = Array.isArray(type) ? type : [type];
  return types.includes(kind) || (kind === 'number' && types.includes('integer'));
}

/**
 * @param {JsonObject[]} parts
 * @returns {unknown[] | undefined}
 */
function listedValues(parts) {
  /** @type {unknown[] | undefined} */
  let values;
  for (const part of parts) {
    const lists = Object.hasOwn(part, 'const') ? [[part.const]] : [];
    if (Array.isArray(part.enum)) lists.push(part.enum);
    for (const list of lists) values = values?.filter((v) => includesJson(list, v)) ?? list;
  }
  return values;
}

/**
 * @param {unknown[] | undefined} listed
 * @param {Kind} kind
 */
function valuesOfKind(listed, kind) {
  const values = listed?.filter((value) => kindOf(value) === kind);
  // The only null says no more than its type.
  return kind === 'null' && values?.length ? undefined : values;
}

/**
 * @param {unknown} value
 * @returns {Kind}
 */
function kindOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return /** @type {Kind} */ (typeof value);
}
