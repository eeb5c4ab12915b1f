import { invalidProject } from './invalid-project.ts';
import type { Project } from './project.ts';
import { readProject } from './read-project.ts';
import { refuseUnsupported } from './validate/refuse-unsupported.ts';
import { validateProject } from './validate/validate-project.ts';

/** Reads the bytes of a project and refuses it unless all of it makes sense; `file` is for errors. */
export const loadProject = (bytes: Uint8Array, file?: string): Project => {
  const draft = readProject(bytes);
  refuseUnsupported(draft);
  validateProject(draft);
  if (draft.problems.total > 0) throw invalidProject('project', draft.problems, file);
  return draft.toProject();
};
