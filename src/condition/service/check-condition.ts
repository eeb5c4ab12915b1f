import type { Clock } from '../../base/clock/clock.ts';
import { compileCondition } from '../compile-condition.ts';
import { type Term, termsOf } from '../condition.ts';
import { ConditionRun } from '../condition-run.ts';
import { contextOf } from '../condition-setup.ts';
import { parseCondition } from '../parse-condition.ts';
import { conditionText } from '../print-condition.ts';
import { type BenchConditions, type BenchSetup, keyOf } from './bench-conditions.ts';
import type { ConditionReport } from './condition-record.ts';
import { countFirings, type RingSource } from './ring-firings.ts';

const field = 'condition';
const countedUs = 60e6;

export interface CheckOptions<Caller> {
  readonly conditions: BenchConditions<Caller>;
  readonly rings: RingSource;
  readonly clock: Clock;
}

/** Indexes of the databases of a setup that have the signal of a term; null if it has none. */
const databasesWith = (term: Term, { databases }: BenchSetup): readonly number[] | null => {
  if (term.op !== 'signal' && term.op !== 'change') return null;
  const { message, signal } = term.name;
  const has = ({ messages }: BenchSetup['databases'][number]): boolean =>
    [...messages.values()].some(
      ({ name, signals }) => name === message && signals.some((one) => one.name === signal),
    );
  return databases.flatMap((database, index) => (has(database) ? [index] : []));
};

const watchedBy = (term: Term, setup: BenchSetup): readonly number[] => {
  const { on } = term;
  const named = on === null ? null : setup.named[on.channel];
  const guarded =
    term.op === 'e2e_error' ? setup.guarded[`${term.instance}/${term.message}`] : null;
  const databases = databasesWith(term, setup);
  return setup.channels.flatMap((channel) => {
    const isNamed = named === null || (typeof named === 'object' && named.includes(channel.key));
    const isGuarded =
      guarded === null || (typeof guarded === 'object' && guarded.channels.includes(channel.key));
    const isDecoded =
      databases === null || channel.databases.some((index) => databases.includes(index));
    return isNamed && isGuarded && isDecoded ? [channel.key] : [];
  });
};

const termReport = (term: Term, setup: BenchSetup): ConditionReport['terms'][number] => {
  const watched = watchedBy(term, setup);
  return {
    term: conditionText(term),
    kind: term.kind,
    channels: setup.open
      .filter((channel) => watched.includes(keyOf(channel)))
      .map(({ selector }) => selector),
    databases: (databasesWith(term, setup) ?? []).map(
      (index) => setup.databases[index]?.name ?? '',
    ),
  };
};

/** Parses a condition, looks up its names, and evaluates it over the last minute of the rings. */
export const checkCondition = async <Caller extends { readonly signal?: AbortSignal }>(
  text: string,
  { conditions, rings, clock }: CheckOptions<Caller>,
  caller: Caller,
): Promise<ConditionReport> => {
  const condition = parseCondition(text, field);
  const setup = await conditions.setup([condition], caller);
  const untilUs = clock.unixUs();
  const context = contextOf(setup, untilUs - countedUs);
  const run = new ConditionRun(context, [compileCondition(condition, field, context)]);
  const terms = termsOf(condition);
  const watched = new Set(terms.flatMap((term) => watchedBy(term, setup)));
  const slots = setup.open.filter((channel) => watched.has(keyOf(channel))).map(({ slot }) => slot);
  const range = { sinceUs: untilUs - countedUs, untilUs };
  const found = await countFirings(rings, run, slots, range, caller.signal);
  return {
    condition: conditionText(condition),
    kind: condition.kind,
    terms: terms.map((term) => termReport(term, setup)),
    fired: found.fired,
    last_fired_us: found.lastFiredUs,
    holds: condition.kind === 'state' ? run.holds() : null,
    since_us: found.sinceUs,
    until_us: untilUs,
    missed: found.missed,
  };
};
