import { invalidArgument } from '../base/errors/busbar-error.ts';

const longestName = 64;
const forbidden = /[\s/\p{C}]/u;
const allDigits = /^[0-9]+$/;
const dotSegments: readonly string[] = ['.', '..'];

/** What is wrong with a name for a port, channel or network; null if nothing is. */
export const nameFlaw = (name: string): string | null => {
  const { length } = [...name];
  if (length < 1 || length > longestName) return `must have from 1 to ${longestName} characters`;
  if (forbidden.test(name)) return 'must not contain slashes, blanks or control characters';
  // It could not be told from a slot.
  if (allDigits.test(name)) return 'must not consist of digits alone';
  // In the path of an address every client takes these for the directory, or the one above it.
  if (dotSegments.includes(name)) return 'must not be . or ..';
  return null;
};

/** Refuses what cannot be the name of a channel. */
export const checkName = (name: string): void => {
  const flaw = nameFlaw(name);
  if (flaw) throw invalidArgument('name', `name ${flaw}`, { reason: 'name', name });
};
