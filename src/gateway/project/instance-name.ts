import { invalidArgument } from '../../base/errors/busbar-error.ts';

/** What an instance is loaded from. Commands for one kind do not find instances of the other. */
export type InstanceKind = 'project' | 'manifest';

export const instanceNamePattern = '^[A-Za-z0-9_.-]{1,64}$';

/** Words that follow `/api/v1/gateways/` in API paths. */
export const pathWords: readonly string[] = ['validate', 'import', 'files'];

export const reservedNames: readonly string[] = [...pathWords, '.', '..'];

const shape = new RegExp(instanceNamePattern);

export const checkInstanceName = (name: string): void => {
  if (!shape.test(name)) {
    throw invalidArgument('instance', 'instance must be 1 to 64 letters, digits and _ . -');
  }
  if (reservedNames.includes(name)) {
    throw invalidArgument('instance', `instance must not be ${name}, which the API reserves`);
  }
};
