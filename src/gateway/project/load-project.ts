import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Problems } from './problems.ts';
import type { Project } from './project.ts';
import { readProject } from './read-project.ts';
import { refuseUnsupported } from './validate/refuse-unsupported.ts';
import { validateProject } from './validate/validate-project.ts';

const invalidProject = ({ shown, total }: Problems, file: string | undefined): BusbarError => {
  const first = shown[0]?.message ?? '';
  const message =
    total === 1
      ? `The project has a problem: ${first}`
      : `The project has ${total} problems, first of them: ${first}`;
  const named = file === undefined ? {} : { file };
  return new BusbarError('invalid_project', {
    message,
    details: { ...named, problems: shown, total },
  });
};

/** Reads the bytes of a project and refuses it unless all of it makes sense; `file` is for errors. */
export const loadProject = (bytes: Uint8Array, file?: string): Project => {
  const draft = readProject(bytes);
  refuseUnsupported(draft);
  validateProject(draft);
  if (draft.problems.total > 0) throw invalidProject(draft.problems, file);
  return draft.toProject();
};
