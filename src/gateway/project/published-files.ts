import { projectSchema } from './project-schema.ts';
import { projectReference } from './reference-page.ts';

/** Files that are made of the declarations of projects, by their paths in the repository. */
export const publishedFiles = (): Readonly<Record<string, string>> => ({
  'docs/reference/gateway-project.md': projectReference(),
  'schemas/gwproj.schema.json': `${JSON.stringify(projectSchema(), null, 2)}\n`,
});
