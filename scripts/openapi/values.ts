import { type Alternative, everyKind, type Kind } from './alternatives.ts';
import { passesAssertions } from './assertions.ts';
import { type Direction, type Finding, found, foundIf } from './comparison.ts';
import { includesJson, show, showList } from './json.ts';
import { isWhole, isWithinLimits } from './limits.ts';

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
  const wasAny = before.size === everyKind.length;
  if (direction === 'request') {
    if (gone.length === 0) return [];
    if (wasAny) return [found(`type narrowed from any to ${showTypes(after)}`)];
  } else {
    // A value of any type documents none of them.
    if (wasAny || gone.length + added.length === 0) return [];
    if (after.size === everyKind.length) {
      return [found(`type widened from ${showTypes(before)} to any`)];
    }
  }
  if (gone.length > 0 && added.length > 0) {
    return [found(`type changed from ${showTypes(before)} to ${showTypes(after)}`)];
  }
  return [
    ...gone.map((kind) => found(`type "${typeName(before, kind)}" removed`)),
    ...added.map((kind) => found(`type "${typeName(after, kind)}" added`)),
  ];
}

const showTypes = (groups: KindGroups): string =>
  [...groups.keys()].map((kind) => typeName(groups, kind)).join(' or ') || 'nothing';

function typeName(groups: KindGroups, kind: Kind): string {
  const { values = [], open = [] } = groups.get(kind) ?? {};
  const areWhole = kind === 'number' && values.every(Number.isInteger) && open.every(isWhole);
  return areWhole ? 'integer' : kind;
}

/**
 * `const` and `enum`, however they were written. New values in a response are no break: clients
 * must tolerate them.
 */
export function compareValues(
  before: KindGroup,
  after: KindGroup,
  direction: Direction,
): Finding[] {
  const isListed = after.open.length === 0;
  const findings = foundIf(
    direction === 'request' && isListed && before.open.length > 0,
    `enum added, only ${showList(after.values)} accepted`,
  );
  const gone = before.values.filter((value) => {
    if (includesJson(after.values, value)) return false;
    // A response documents only what it lists, but any boolean lists both values.
    const mayBeOpen = direction === 'request' || typeof value === 'boolean';
    return !mayBeOpen || !after.open.some((open) => admits(open, value));
  });
  if (gone.length === 0) return findings;
  if (after.values.length === 0 && direction === 'response') {
    return [found(`enum removed, ${showList(gone)} no longer documented`)];
  }
  if (isListed && before.values.length === 1 && after.values.length === 1) {
    const change = `const changed from ${showList(gone)} to ${showList(after.values)}`;
    return [...findings, found(change)];
  }
  return [...findings, ...gone.map((value) => found(`enum value ${show(value)} removed`))];
}

const admits = (alternative: Alternative, value: unknown): boolean =>
  isWithinLimits(alternative, value) && passesAssertions(alternative, value);
