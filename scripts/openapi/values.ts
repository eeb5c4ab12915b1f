import { type Alternative, everyKind, type Kind } from './alternatives.ts';
import { both, type Direction, type Finding, found, foundIf } from './finding.ts';
import { includesJson, show, showList } from './json.ts';
import { admits, isWhole } from './keywords.ts';

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
 * JSON types that were added or removed. Requests may gain types. Responses may do neither:
 * clients do not know a new type, and may wait for a removed one.
 */
export function compareKinds(direction: Direction, was: KindGroups, is: KindGroups): Finding[] {
  const gone = [...was.keys()].filter((kind) => !is.has(kind));
  const added = [...is.keys()].filter((kind) => !was.has(kind));
  const [old, now] = both(was, is, showTypes);
  if (direction === 'request' && gone.length === 0) return [];
  // A response of any type documents no type.
  if (old === 'any')
    return direction === 'request' ? [found(`type narrowed from any to ${now}`)] : [];
  if (now === 'any') return [found(`type widened from ${old} to any`)];
  if (gone.length > 0 && added.length > 0) return [found(`type changed from ${old} to ${now}`)];
  return [
    ...gone.map((kind) => found(`type "${typeName(was, kind)}" removed`)),
    ...added.map((kind) => found(`type "${typeName(is, kind)}" added`)),
  ];
}

const showTypes = (groups: KindGroups): string => {
  if (groups.size === everyKind.length) return 'any';
  return [...groups.keys()].map((kind) => typeName(groups, kind)).join(' or ') || 'nothing';
};

function typeName(groups: KindGroups, kind: Kind): string {
  const { values = [], open = [] } = groups.get(kind) ?? {};
  const areWhole = values.every(Number.isInteger) && open.every(({ parts }) => isWhole(parts));
  return kind === 'number' && areWhole ? 'integer' : kind;
}

/**
 * Compares `const` and `enum`. New values in a response break nothing: clients must tolerate
 * them.
 */
export function compareValues(direction: Direction, was: KindGroup, is: KindGroup): Finding[] {
  const isRequest = direction === 'request';
  const isListed = is.open.length === 0;
  const change = `enum added, only ${showList(is.values)} accepted`;
  const findings = foundIf(isRequest && isListed && was.open.length > 0, change);
  const gone = was.values.filter((value) => {
    // A response documents only the values it lists; any boolean lists both.
    const mayBeOpen = isRequest || typeof value === 'boolean';
    const isAdmitted = mayBeOpen && is.open.some((open) => admits(open, value));
    return !isAdmitted && !includesJson(is.values, value);
  });
  if (gone.length === 0) return findings;
  if (is.values.length === 0 && !isRequest) {
    return [found(`enum removed, ${showList(gone)} no longer documented`)];
  }
  if (isListed && was.values.length === 1 && is.values.length === 1) {
    return [...findings, found(`const changed from ${showList(gone)} to ${showList(is.values)}`)];
  }
  return [...findings, ...gone.map((value) => found(`enum value ${show(value)} removed`))];
}
