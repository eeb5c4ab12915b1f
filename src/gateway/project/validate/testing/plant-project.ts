import type { LooseProject } from '../../testing/coolant-project.ts';
import { goldenBytes } from '../../testing/golden-projects.ts';

const text = Buffer.from(goldenBytes('valid', 'plant')).toString();

/** A valid project that uses every table, for tests that invalidate one value. */
export const plantProject = (): LooseProject => JSON.parse(text);
