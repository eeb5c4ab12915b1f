import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProject } from '../project/load-project.ts';
import { projectText } from '../project/write-project.ts';
import type { ImportOptions } from './import-dbc.ts';
import { importText } from './testing/import-text.ts';

const folder = join(import.meta.dirname, '../../../tests/golden/gwproj');
const pump = readFileSync(join(folder, 'pump.dbc'));

const cases: readonly [golden: string, options: Partial<ImportOptions>][] = [
  ['pump.rx.gwproj', { direction: 'rx', network: 'body', staleAfterMs: 0 }],
  ['pump.tx.gwproj', { direction: 'tx', network: 'rig', missingCycle: 'on_change' }],
];

describe.each(cases)('%s', (name, options) => {
  const { project } = importText(pump, { file: 'pump.dbc', ...options });
  const text = [...projectText(project)].join('');

  it('is what the import of pump.dbc gives', async () => {
    await expect(text).toMatchFileSnapshot(join(folder, name));
  });

  it('loads and saves as it is', () => {
    const draft = readProject(new TextEncoder().encode(text));
    expect(draft.problems.shown).toEqual([]);
    expect(draft.toProject()).toEqual(project);
    expect([...projectText(draft.toProject())].join('')).toBe(text);
  });
});
