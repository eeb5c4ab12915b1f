import { BusbarError } from '../../base/errors/busbar-error.ts';

/** The same refusal, of the field that the refused thing stood in. */
export const blaming = (field: string, thrown: unknown): BusbarError => {
  const { code, message, details } = BusbarError.from(thrown);
  return new BusbarError(code, { message, details: { ...details, field }, cause: thrown });
};
