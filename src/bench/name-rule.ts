import { invalidArgument } from '../base/errors/busbar-error.ts';

const maxNameLength = 64;
const forbidden = /[\s/\p{C}]/u;
const allDigits = /^[0-9]+$/;
const dotSegments: readonly string[] = ['.', '..'];

export const nameError = (name: string): string | null => {
  const { length } = [...name];
  if (length < 1 || length > maxNameLength) return `must have 1 to ${maxNameLength} characters`;
  if (forbidden.test(name)) return 'must not contain slashes, spaces or control characters';
  if (allDigits.test(name)) return 'must not be a number';
  // URL paths treat these as directories.
  if (dotSegments.includes(name)) return 'must not be . or ..';
  return null;
};

export const checkName = (name: string): void => {
  const error = nameError(name);
  if (error) throw invalidArgument('name', `name ${error}`, { reason: 'name', name });
};
