import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { DecoderThreads } from '../../table/service/decoder-threads.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import type { TraceGap } from '../../trace/trace-gap.ts';
import type { Check } from '../check.ts';
import { conditionsOf } from '../check.ts';
import type { CheckSetup } from './check-setup.ts';
import { type Evaluated, TraceEvaluation } from './trace-evaluation.ts';

/** A part of a trace, in memory that threads share. */
export interface SharedPart {
  readonly memory: ArrayBuffer;
  readonly count: number;
  readonly gaps: readonly TraceGap[];
  readonly names: readonly (readonly [number, string])[];
}

export type EvaluationRpc = {
  prepareChecks(setup: CheckSetup, startUnixUs: number | null): void;
  takeEvents(part: SharedPart): void;
  endChecks(isTruncated: boolean): Evaluated;
};

/** Evaluations by a thread. */
export const offerEvaluation = (): EvaluationRpc => {
  let evaluation: TraceEvaluation | undefined;
  const prepared = (): TraceEvaluation => {
    if (evaluation === undefined) throw new BusbarError('internal_error');
    return evaluation;
  };
  return {
    prepareChecks: (setup, startUnixUs) => {
      evaluation = new TraceEvaluation(setup, startUnixUs);
    },
    takeEvents: ({ memory, count, gaps, names }) => {
      const batch = new TraceBatch(memory);
      batch.count = count;
      batch.gaps.push(...gaps);
      prepared().take(batch, new Map(names));
    },
    endChecks: (isTruncated) => prepared().end(isTruncated),
  };
};

/**
 * Indexes of checks by thread. Conditions are evaluated together and loads need every event, so
 * each of these kinds has one thread; the others are dealt out.
 */
export const sharesOf = (checks: readonly Check[], threads: number): readonly number[][] => {
  const shares = Array.from({ length: Math.min(threads, checks.length) }, (): number[] => []);
  const last = shares.length - 1;
  let next = 0;
  checks.forEach(({ rule }, index) => {
    const hasConditions = conditionsOf(rule).length > 0;
    const place = hasConditions ? 0 : rule.kind === 'load' ? last : next++ % shares.length;
    shares[place]?.push(index);
  });
  return shares.filter((share) => share.length > 0);
};

/** Threads that evaluate a share of the checks each, over all events. */
export class CheckPool {
  readonly #threads: DecoderThreads<EvaluationRpc>;
  readonly #shares: readonly (readonly number[])[];

  constructor(
    threads: DecoderThreads<EvaluationRpc>,
    setup: CheckSetup,
    startUnixUs: number | null,
  ) {
    this.#threads = threads;
    this.#shares = sharesOf(setup.checks, threads.remotes.length);
    this.#shares.forEach((share, place) => {
      const checks = setup.checks.filter((_, index) => share.includes(index));
      void threads.remotes[place]?.prepareChecks({ ...setup, checks }, startUnixUs);
    });
  }

  /** Resolves when no thread needs the memory of the part any more. */
  async take(part: SharedPart): Promise<void> {
    await this.#all((place) => this.#threads.remotes[place]?.takeEvents(part));
  }

  async end(isTruncated: boolean): Promise<Evaluated> {
    const ends = await this.#all((place) => this.#threads.remotes[place]?.endChecks(isTruncated));
    const [first] = ends;
    if (first === undefined) throw new BusbarError('internal_error');
    const results = ends.flatMap((each, place) =>
      (each?.results ?? []).map((result, at) => ({
        result,
        index: this.#shares[place]?.[at] as number,
      })),
    );
    results.sort((one, other) => one.index - other.index);
    return { ...first, results: results.map(({ result }) => result) };
  }

  /** Answers of all threads. Of several refusals, that of the first thread counts. */
  async #all<Answer>(
    ask: (place: number) => Promise<Answer> | undefined,
  ): Promise<(Answer | undefined)[]> {
    const asked = this.#shares.map((_, place) => ask(place));
    const settled = await Promise.race([Promise.allSettled(asked), this.#threads.failure]);
    return settled.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
  }
}
