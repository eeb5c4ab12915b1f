import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectDraft } from '../project-draft.ts';
import { readProject } from '../read-project.ts';

/** A project as JSON would hold it, for tests that change one thing about it. */
// biome-ignore lint/suspicious/noExplicitAny: tests put in what no type allows.
export type LooseProject = Record<string, any>;

/** A project that is complete: a coolant temperature for a PLC, a pump command from it. */
export const coolantProject = (): LooseProject =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'coolant.gwproj'), 'utf8'));

export const readText = (text: string): ProjectDraft => readProject(new TextEncoder().encode(text));

export const readLoose = (project: LooseProject): ProjectDraft => readText(JSON.stringify(project));
