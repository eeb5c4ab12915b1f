export type Followed = ReadonlyMap<string, ReadonlySet<string>>;

/** Longer requests could be rejected: then whole plans are followed. */
const maxNamesLength = 4000;

const queryOf = (name: string, values: Iterable<string>): readonly string[] =>
  [...values].sort().map((value) => `${name}=${encodeURIComponent(value)}`);

export const samplesPath = (followed: Followed): string => {
  const plans = queryOf('plan', followed.keys());
  const names = queryOf('signal', new Set([...followed.values()].flatMap((each) => [...each])));
  const parts = [plans, names].flatMap((each) =>
    each.join('&').length < maxNamesLength ? each : [],
  );
  return `/api/v1/signals/stream${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
};

export const unionOf = (all: Iterable<Followed>): Followed => {
  const union = new Map<string, Set<string>>();
  for (const followed of all) {
    for (const [plan, signals] of followed) {
      union.set(plan, new Set([...(union.get(plan) ?? []), ...signals]));
    }
  }
  return union;
};

export const isWithin = (followed: Followed, all: Followed): boolean =>
  [...followed].every(([plan, signals]) =>
    [...signals].every((signal) => all.get(plan)?.has(signal)),
  );
