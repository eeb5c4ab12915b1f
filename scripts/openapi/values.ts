import { type Alternative, everyKind, type Kind } from './alternatives.ts';
import { type Direction, type Finding, found, foundIf } from './comparison.ts';
import { includesJson, show, showList } from './json.ts';
import { admits, isWhole } from './keywords.ts';

/** All alternatives of one JSON type: the values that are listed one by one, and the open ones. */
interface KindGroup {
  readonly values: unknown[];
  readonly open: Alternative[];
}

export type KindGroups = ReadonlyMap<Kind, KindGroup>;

export function groupByKind(alternatives: readonly Alternative[]): KindGroups {
  const groups = new Map<Kind, KindGroup>();
  for (const alternative of alternatives) {
    const group = groups.get(alternative.kind) ?? { values: [], open: [] };
    groups.set(alternative.kind, group);
    if (!alternative.values) group.open.push(alternative);
    for (const value of alternative.values ?? []) {
      if (!includesJson(group.values, value)) group.values.push(value);
    }
  }
  if (groups.get('boolean')?.values.length === 2) {
    groups.set('boolean', { values: [], open: [{ kind: 'boolean', parts: [], label: '' }] });
  }
  return groups;
}

/**
 * JSON types that came or went. Requests may gain types. Responses may do neither: clients don't
 * know a new one, and a documented one that vanished may be what they wait for.
 */
export function compareKinds(
  before: KindGroups,
  after: KindGroups,
  direction: Direction,
): Finding[] {
  const gone = [...before.keys()].filter((kind) => !after.has(kind));
  const added = [...after.keys()].filter((kind) => !before.has(kind));
  const [wasAny, isAny] = [before, after].map(({ size }) => size === everyKind.length);
  const [was, is] = [before, after].map(showTypes);
  if (direction === 'request') {
    if (gone.length === 0) return [];
    if (wasAny) return [found(`type narrowed from any to ${is}`)];
  } else {
    // A value of any type documents none of them.
    if (wasAny) return [];
    if (isAny) return [found(`type widened from ${was} to any`)];
  }
  if (gone.length > 0 && added.length > 0) return [found(`type changed from ${was} to ${is}`)];
  return [
    ...gone.map((kind) => found(`type "${typeName(before, kind)}" removed`)),
    ...added.map((kind) => found(`type "${typeName(after, kind)}" added`)),
  ];
}

const showTypes = (groups: KindGroups): string =>
  [...groups.keys()].map((kind) => typeName(groups, kind)).join(' or ') || 'nothing';

function typeName(groups: KindGroups, kind: Kind): string {
  const { values = [], open = [] } = groups.get(kind) ?? {};
  const areWhole = values.every(Number.isInteger) && open.every(({ parts }) => isWhole(parts));
  return kind === 'number' && areWhole ? 'integer' : kind;
}

/**
 * `const` and `enum`, however they were written. New values in a response are no break: clients
 * must tolerate them.
 */
export function compareValues(was: KindGroup, is: KindGroup, direction: Direction): Finding[] {
  const isListed = is.open.length === 0;
  const findings = foundIf(
    direction === 'request' && isListed && was.open.length > 0,
    `enum added, only ${showList(is.values)} accepted`,
  );
  const gone = was.values.filter((value) => {
    // A response documents only what it lists, but any boolean lists both values.
    const mayBeOpen = direction === 'request' || typeof value === 'boolean';
    const isAdmitted = mayBeOpen && is.open.some((open) => admits(open, value));
    return !isAdmitted && !includesJson(is.values, value);
  });
  if (gone.length === 0) return findings;
  if (is.values.length === 0 && direction === 'response') {
    return [found(`enum removed, ${showList(gone)} no longer documented`)];
  }
  if (isListed && was.values.length === 1 && is.values.length === 1) {
    return [...findings, found(`const changed from ${showList(gone)} to ${showList(is.values)}`)];
  }
  return [...findings, ...gone.map((value) => found(`enum value ${show(value)} removed`))];
}
