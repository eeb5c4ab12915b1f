import { readProject } from '../load-project.ts';
import type { ProjectDraft } from '../project-draft.ts';
import type { LooseProject } from './coolant-project.ts';

export const readText = (text: string): ProjectDraft => readProject(new TextEncoder().encode(text));

export const readLoose = (project: LooseProject): ProjectDraft => readText(JSON.stringify(project));

/** Sets a value at a path such as `signals.0.type`; undefined removes it. */
export const put = (project: LooseProject, path: string, value: unknown): void => {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((holder, key) => holder[key], project);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
};
