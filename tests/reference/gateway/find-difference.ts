import { compareTraces } from './compare-traces.ts';
import { randomScript } from './random-script.ts';
import { runReference } from './reference.ts';
import type { Script, Trace } from './script.ts';
import { shrinkScript } from './shrink-script.ts';

/** The first difference between an engine and the reference. */
export interface Finding {
  readonly seed: number;
  /** The first difference in the shortened script: the reference's, then the engine's. */
  readonly words: string;
  readonly script: Script;
}

/** The difference as text; an exception of the engine counts, too. */
const differenceOf = (run: (script: Script) => Trace, script: Script): string | null => {
  const expected = runReference(script);
  try {
    return compareTraces(expected, run(script));
  } catch (error) {
    return `the engine throws ${error}`;
  }
};

/** The first seed on which an engine differs, as a short script; null if none does. */
export const findDifference = (
  run: (script: Script) => Trace,
  seeds: Iterable<number>,
  scriptOf: (seed: number) => Script = randomScript,
): Finding | null => {
  for (const seed of seeds) {
    const script = scriptOf(seed);
    if (differenceOf(run, script) === null) continue;
    const short = shrinkScript(script, (one) => differenceOf(run, one) !== null);
    return { seed, words: differenceOf(run, short) ?? '', script: short };
  }
  return null;
};
