import type { Direction, Finding } from './finding.ts';
import { includesJson, isObject, type JsonObject, listOf, objectOf, valuesOf } from './json.ts';
import { flatten, nameOf } from './references.ts';

export type Schemas = readonly unknown[];

export const everyKind = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;
export type Kind = (typeof everyKind)[number];

/**
 * One shape of a value: a single JSON type and all keyword objects that apply to it. `{ type:
 * ['string', 'null'] }` and `{ anyOf: [{ type: 'string' }, { type: 'null' }] }` have the same
 * alternatives, so the comparison does not depend on how a union is written.
 */
export interface Alternative {
  readonly kind: Kind;
  readonly parts: readonly JsonObject[];
  readonly values?: readonly unknown[] | undefined;
  /** Component name of the variant; empty without one. */
  readonly label: string;
}

export interface Comparison {
  readonly direction: Direction;
  compare(before: Schemas, after: Schemas): readonly Finding[];
  /** A comparison with a separate memo, for a pair that may not belong together. */
  fork(): Comparison;
}

export type CompareAlternatives = (
  comparison: Comparison,
  before: Alternative,
  after: Alternative,
) => Finding[];

interface Branch {
  readonly parts: Schemas;
  readonly label: string;
}

/** Alternatives of schemas that all apply to the same value. */
export const alternativesOf = (schemas: Schemas): Alternative[] =>
  branchesOf(schemas, new Set()).flatMap(splitByKind);

/** Schemas that already apply add nothing, and may be a cycle. */
function branchesOf(schemas: Schemas, applied: ReadonlySet<unknown>): Branch[] {
  const parts = [...flatten(schemas)].filter((part) => !applied.has(part));
  const within = new Set([...applied, ...parts]);
  const unions = ['anyOf', 'oneOf'].flatMap((name) => valuesOf(parts.filter(isObject), name));
  let branches: Branch[] = [{ parts, label: '' }];
  for (const union of unions) {
    const members = listOf(union).flatMap((member) =>
      branchesOf([member], within).map(
        (branch) => [branch.parts, branch.label || labelOf(member)] as const,
      ),
    );
    branches = branches.flatMap((left) =>
      members.map(([more, label]) => ({
        parts: [...left.parts, ...more],
        label: label || left.label,
      })),
    );
  }
  return branches;
}

const labelOf = (member: unknown): string => nameOf(String(objectOf(member).$ref ?? ''));

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

/** Values that every `const` and `enum` lists; undefined without any. */
function listedValues(parts: readonly JsonObject[]): unknown[] | undefined {
  const constants = valuesOf(parts, 'const').map((value) => [value]);
  const [first, ...more] = [...constants, ...valuesOf(parts, 'enum').map(listOf)];
  return first?.filter((value) => more.every((list) => includesJson(list, value)));
}

function valuesOfKind(listed: unknown[] | undefined, kind: Kind): unknown[] | undefined {
  const values = listed?.filter((value) => kindOf(value) === kind);
  return kind === 'null' && values?.length ? undefined : values;
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as Kind);
}
