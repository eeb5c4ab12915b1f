import type { LooseProject } from '../../testing/coolant-project.ts';
import { goldenBytes } from '../../testing/golden-projects.ts';

const text = Buffer.from(goldenBytes('valid', 'plant')).toString();

/** A sound project that has something of everything, for tests that make one thing unsound. */
export const plantProject = (): LooseProject => JSON.parse(text);
