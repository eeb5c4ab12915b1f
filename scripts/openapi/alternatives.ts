import type { Comparison, Finding, Schemas } from './comparison.ts';
import { includesJson, isObject, type JsonObject, listOf } from './json.ts';
import { lookUp, nameOf } from './reference.ts';

export const everyKind = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;
export type Kind = (typeof everyKind)[number];

/**
 * One shape a value may take: a single JSON type, and every keyword object that applies to it
 * at once. `{ type: ['string', 'null'] }` and `{ anyOf: [{ type: 'string' }, { type: 'null' }] }`
 * have the same alternatives, so the comparison never sees how a union was written down.
 */
export interface Alternative {
  readonly kind: Kind;
  readonly parts: readonly JsonObject[];
  /** The only values allowed, when they are listed. */
  readonly values?: readonly unknown[] | undefined;
  /** Component name or title of the variant, empty when it has none. */
  readonly label: string;
}

export type CompareAlternatives = (
  comparison: Comparison,
  before: Alternative,
  after: Alternative,
) => Finding[];

interface Branch {
  readonly parts: readonly unknown[];
  readonly label: string;
}

/** The alternatives of schemas that all apply to the same value. */
export const alternativesOf = (document: JsonObject, schemas: Schemas): Alternative[] =>
  branchesOf(document, schemas, new Set()).flatMap(splitByKind);

/** The schemas themselves and all that they include through `$ref` and `allOf`, each once. */
export function flatten(
  document: JsonObject,
  schemas: Schemas,
  seen: Set<unknown> = new Set(),
): Set<unknown> {
  for (const schema of schemas) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (!isObject(schema)) continue;
    if (typeof schema.$ref === 'string') flatten(document, [lookUp(document, schema.$ref)], seen);
    flatten(document, listOf(schema.allOf), seen);
  }
  return seen;
}

/** What already applies adds nothing, and may be a cycle. */
function branchesOf(
  document: JsonObject,
  schemas: Schemas,
  applied: ReadonlySet<unknown>,
): Branch[] {
  const parts = [...flatten(document, schemas)].filter((part) => !applied.has(part));
  const within = new Set([...applied, ...parts]);
  const unions = parts.filter(isObject).flatMap(({ anyOf, oneOf }) => [anyOf, oneOf]);
  return unions.filter(Array.isArray).reduce<Branch[]>(
    (branches, union) => {
      const members = union.flatMap((member) =>
        branchesOf(document, [member], within).map((branch) => ({
          ...branch,
          label: branch.label || labelOf(member),
        })),
      );
      return branches.flatMap((left) =>
        members.map((right) => ({
          parts: [...left.parts, ...right.parts],
          label: right.label || left.label,
        })),
      );
    },
    [{ parts, label: '' }],
  );
}

function labelOf(member: unknown): string {
  if (!isObject(member)) return '';
  if (typeof member.$ref === 'string') return nameOf(member.$ref);
  return typeof member.title === 'string' ? member.title : '';
}

function splitByKind({ parts: schemas, label }: Branch): Alternative[] {
  if (schemas.includes(false)) return [];
  const parts = schemas.filter(isObject);
  const listed = listedValues(parts);
  return everyKind
    .filter((kind) => parts.every(({ type }) => allows(type, kind)))
    .map((kind) => ({ kind, parts, values: valuesOfKind(listed, kind), label }))
    .filter(({ values }) => values?.length !== 0);
}

export const typesOf = (type: unknown): unknown[] => (Array.isArray(type) ? type : [type]);

const allows = (type: unknown, kind: Kind): boolean =>
  type === undefined ||
  typesOf(type).includes(kind) ||
  (kind === 'number' && typesOf(type).includes('integer'));

/** What every `const` and `enum` lists; undefined where there is none. */
function listedValues(parts: readonly JsonObject[]): unknown[] | undefined {
  const [first, ...more] = parts.flatMap((part) => [
    ...(Object.hasOwn(part, 'const') ? [[part.const]] : []),
    ...(Array.isArray(part.enum) ? [part.enum] : []),
  ]);
  return first?.filter((value) => more.every((list) => includesJson(list, value)));
}

function valuesOfKind(listed: unknown[] | undefined, kind: Kind): unknown[] | undefined {
  const values = listed?.filter((value) => kindOf(value) === kind);
  // The only null says no more than its type.
  return kind === 'null' && values?.length ? undefined : values;
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as Kind);
}
