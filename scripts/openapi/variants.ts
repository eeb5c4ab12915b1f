import {
  type Alternative,
  alternativesOf,
  type CompareAlternatives,
  type Comparison,
} from './alternatives.ts';
import { both, type Finding, found, under } from './finding.ts';
import { gather, includesJson, show } from './json.ts';

/** A member of a union with its distinguishing properties. */
interface Variant {
  readonly alternative: Alternative;
  readonly label: string;
  readonly names: readonly string[];
  /** Properties with listed values, such as `kind`. */
  readonly tags: ReadonlyMap<string, readonly unknown[]>;
}

/**
 * Pairs the members of two unions and compares the pairs. A member is paired with one that it
 * is compatible with, else with the likeliest one left.
 */
export function compareVariants(
  comparison: Comparison,
  before: readonly Alternative[],
  after: readonly Alternative[],
  compare: CompareAlternatives,
): Finding[] {
  const [first, second] = [before[0], after[0]];
  if (!first || !second) return [];
  if (before.length === 1 && after.length === 1) return compare(comparison, first, second);

  const [was, is] = both(before, after, describe);
  // Results may depend on this pair, so they use a separate memo.
  const attempt = (variant: Variant, other: Variant): Finding[] =>
    compare(comparison.fork(), variant.alternative, other.alternative);
  const hasNamesake = (variant: Variant, among: Variant[]): boolean =>
    among.some((other) => isNamesake(variant, other));
  /** Whether one may have become the other, by names; tags must not contradict. */
  const isLikely = (variant: Variant, other: Variant): boolean =>
    isNamesake(variant, other) ||
    (!hasNamesake(variant, is) && !hasNamesake(other, was) && doTagsAgree(variant, other));
  const attempts = was.map((variant) =>
    is
      .filter((other) => isLikely(variant, other))
      .map((other) => ({ other, findings: attempt(variant, other) }))
      .sort((left, right) => left.findings.length - right.findings.length),
  );
  const fitting = attempts.map((pairs, at) =>
    pairs.find(({ other, findings }) => findings.length === 0 && knows(other, was[at])),
  );
  const taken = new Set(fitting.map((pair) => pair?.other));
  const findings = was.flatMap(({ label }, at) => {
    if (fitting[at]) return [];
    const best = attempts[at]?.find(({ other }) => !taken.has(other));
    if (!best) return [found('variant removed', `variant ${label}`)];
    taken.add(best.other);
    return under(`variant ${label}`, best.findings);
  });
  if (comparison.direction === 'request') return findings;
  const added = is.filter(
    (other) => !taken.has(other) && !was.some((variant) => attempt(variant, other).length === 0),
  );
  return [...findings, ...added.map(({ label }) => found('variant added', `variant ${label}`))];
}

function describe(alternatives: readonly Alternative[]): Variant[] {
  const variants = alternatives.map((alternative) => {
    const properties = gather(alternative.parts, 'properties');
    const tags = [...properties].flatMap(([name, schemas]): [string, unknown[]][] => {
      const shapes = alternativesOf(schemas);
      const isTag = shapes.length > 0 && shapes.every(({ values }) => values);
      return isTag ? [[name, shapes.flatMap(({ values = [] }) => values)]] : [];
    });
    return { alternative, names: [...properties].map(([name]) => name), tags: new Map(tags) };
  });
  return variants.map((variant, at) => {
    const siblings = variants.filter((other) => other !== variant);
    const reporting = [...variant.tags].find(
      ([name, [value, ...more]]) =>
        more.length === 0 &&
        !siblings.some(({ tags }) => includesJson(tags.get(name) ?? [], value)),
    );
    const label = reporting ? `${reporting[0]} ${show(reporting[1][0])}` : `#${at + 1}`;
    return { ...variant, label: variant.alternative.label || label };
  });
}

const doTagsAgree = ({ tags }: Variant, other: Variant): boolean =>
  [...tags].every(([name, values]) => {
    const others = other.tags.get(name);
    return !others || values.some((value) => includesJson(others, value));
  });

/**
 * An open object accepts unknown properties, which does not prove that it is the counterpart
 * unless it leaves all open.
 */
const knows = ({ names }: Variant, variant?: Variant): boolean =>
  names.length === 0 || !variant?.names.some((name) => !names.includes(name));

const isNamesake = ({ alternative: { label } }: Variant, other: Variant): boolean =>
  label !== '' && label === other.alternative.label;
