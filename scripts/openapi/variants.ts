import { type Alternative, alternativesOf, type CompareAlternatives } from './alternatives.ts';
import { type Comparison, type Finding, found, under } from './comparison.ts';
import { includesJson, type JsonObject, show } from './json.ts';
import { gather } from './members.ts';

/** A member of a union with what tells it from the others. */
interface Variant {
  readonly alternative: Alternative;
  /** How findings call it. */
  readonly label: string;
  /** The names of its properties. */
  readonly names: readonly string[];
  /** Properties with listed values, such as a `kind`. */
  readonly tags: ReadonlyMap<string, readonly unknown[]>;
}

/**
 * Pairs the members of two unions and compares the pairs. A member that another one takes in
 * without a break is paired with it; the rest go to the likeliest member left.
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

  const [was, is] = [describe(comparison.before, before), describe(comparison.after, after)];
  // Results found on the way may lean on this very pair, so they are kept apart.
  const attempt = (variant: Variant, other: Variant): Finding[] =>
    compare(comparison.fork(), variant.alternative, other.alternative);
  const attempts = was.map((variant) =>
    is
      .filter((other) => isLikely(variant, other, was, is))
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

function describe(document: JsonObject, alternatives: readonly Alternative[]): Variant[] {
  const variants = alternatives.map((alternative) => {
    const properties = alternative.kind === 'object' ? gather(alternative.parts, 'properties') : [];
    const tags = [...properties].flatMap(([name, schemas]): [string, unknown[]][] => {
      const shapes = alternativesOf(document, schemas);
      const isTag = shapes.length > 0 && shapes.every(({ values }) => values);
      return isTag ? [[name, shapes.flatMap(({ values = [] }) => values)]] : [];
    });
    return { alternative, names: [...properties].map(([name]) => name), tags: new Map(tags) };
  });
  return variants.map((variant, at) => {
    const siblings = variants.filter((other) => other !== variant);
    const telling = [...variant.tags].find(
      ([name, [value, ...more]]) =>
        more.length === 0 &&
        !siblings.some(({ tags }) => includesJson(tags.get(name) ?? [], value)),
    );
    const label = telling ? `${telling[0]} ${show(telling[1][0])}` : `#${at + 1}`;
    return { ...variant, label: variant.alternative.label || label };
  });
}

/** Whether one may have become the other. Names decide; tags must not contradict. */
function isLikely(
  variant: Variant,
  other: Variant,
  was: readonly Variant[],
  is: readonly Variant[],
): boolean {
  if (isNamesake(variant, other)) return true;
  if (is.some((each) => isNamesake(variant, each))) return false;
  if (was.some((each) => isNamesake(each, other))) return false;
  return [...variant.tags].every(([name, values]) => {
    const others = other.tags.get(name);
    return !others || values.some((value) => includesJson(others, value));
  });
}

/**
 * An open object takes in properties that it does not know. That is no proof of being meant,
 * unless it leaves all of them open.
 */
const knows = ({ names }: Variant, variant?: Variant): boolean =>
  names.length === 0 || !variant?.names.some((name) => !names.includes(name));

const isNamesake = ({ alternative: { label } }: Variant, other: Variant): boolean =>
  label !== '' && label === other.alternative.label;
