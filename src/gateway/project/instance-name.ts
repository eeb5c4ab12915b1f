import { invalidArgument } from '../../base/errors/busbar-error.ts';

/** What instances may be called. */
export const instanceNamePattern = '^[A-Za-z0-9_.-]{1,64}$';

/** Names that stand for something else in paths of the API. */
export const reservedNames: readonly string[] = ['validate', 'import', '.', '..'];

const shape = new RegExp(instanceNamePattern);

/** Refuses a name that no instance can have. */
export const checkInstanceName = (name: string): void => {
  if (!shape.test(name)) {
    throw invalidArgument('instance', 'instance must be 1 to 64 letters, digits and _ . -');
  }
  if (reservedNames.includes(name)) {
    throw invalidArgument('instance', `instance must not be ${name}, which the API needs itself`);
  }
};
