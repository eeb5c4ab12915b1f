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

  // Results found on the way may lean on this very pair, so they are kept apart until it is chosen.
  const attempt = (variant: Variant, other: Variant) => {
    const trial = comparison.fork();
    return { other, trial, findings: compare(trial, variant.alternative, other.alternative) };
  };
  const adopt = (trial: Comparison): void => {
    for (const [pair, findings] of trial.memo) comparison.memo.set(pair, findings);
  };
  const fits = (variant: Variant, other: Variant): boolean => {
    const { trial, findings } = attempt(variant, other);
    if (findings.length === 0) adopt(trial);
    return findings.length === 0;
  };

  const was = describe(comparison.before, before);
  const is = describe(comparison.after, after);
  const taken = new Set<Variant>();
  const changed = was.filter((variant) => {
    const same = is.find(
      (other) => isLikely(variant, other, was, is) && knows(other, variant) && fits(variant, other),
    );
    if (same) taken.add(same);
    return !same;
  });
  const findings = changed.flatMap((variant) => {
    const [best] = is
      .filter((other) => !taken.has(other) && isLikely(variant, other, was, is))
      .map((other) => attempt(variant, other))
      .sort((left, right) => left.findings.length - right.findings.length);
    if (!best) return [found('variant removed', `variant ${variant.label}`)];
    taken.add(best.other);
    adopt(best.trial);
    return under(`variant ${variant.label}`, best.findings);
  });
  if (comparison.direction === 'request') return findings;
  const added = is.filter(
    (other) => !taken.has(other) && !was.some((variant) => fits(variant, other)),
  );
  return [...findings, ...added.map(({ label }) => found('variant added', `variant ${label}`))];
}

function describe(document: JsonObject, alternatives: readonly Alternative[]): Variant[] {
  const variants = alternatives.map((alternative) => {
    const properties =
      alternative.kind === 'object' ? [...gather(alternative.parts, 'properties')] : [];
    const tags = properties.flatMap(([name, schemas]) => tagOf(document, name, schemas));
    return { alternative, names: properties.map(([name]) => name), tags: new Map(tags) };
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

function tagOf(
  document: JsonObject,
  name: string,
  schemas: readonly unknown[],
): [string, unknown[]][] {
  const shapes = alternativesOf(document, schemas);
  const isTag = shapes.length > 0 && shapes.every(({ values }) => values);
  return isTag ? [[name, shapes.flatMap(({ values = [] }) => values)]] : [];
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
const knows = ({ names }: Variant, variant: Variant): boolean =>
  names.length === 0 || variant.names.every((name) => names.includes(name));

const isNamesake = ({ alternative: { label } }: Variant, other: Variant): boolean =>
  label !== '' && label === other.alternative.label;
