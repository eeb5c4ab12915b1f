import { BusbarError } from '../base/errors/busbar-error.ts';

export const withKeptArguments = (
  names: readonly string[],
  input: unknown,
  thrown: unknown,
): BusbarError => {
  const error = BusbarError.from(thrown);
  const given = (input ?? {}) as Record<string, unknown>;
  const kept = names.filter((name) => ['string', 'number', 'boolean'].includes(typeof given[name]));
  if (kept.every((name) => name in error.details)) return error;
  const details = Object.fromEntries(kept.map((name) => [name, given[name]]));
  return error.with({ details: { ...details, ...error.details } });
};
