import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Problems } from './problems.ts';

/** Refuses a project, or a manifest, with everything that is wrong with it. */
export const invalidProject = (
  what: 'project' | 'manifest',
  { shown, total }: Problems,
  file?: string,
): BusbarError => {
  const first = shown[0]?.message ?? '';
  const message =
    total === 1
      ? `The ${what} has a problem: ${first}`
      : `The ${what} has ${total} problems, first of them: ${first}`;
  const named = file === undefined ? {} : { file };
  return new BusbarError('invalid_project', {
    message,
    details: { ...named, problems: shown, total },
  });
};
