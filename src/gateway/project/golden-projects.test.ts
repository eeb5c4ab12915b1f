import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { loadProject } from './load-project.ts';
import { type Problem, problemCodes } from './problems.ts';
import { goldenBytes, goldenFolder, goldenNames } from './testing/golden-projects.ts';
import { projectText } from './write-project.ts';

const problemsOf = (bytes: Uint8Array): readonly Problem[] => {
  try {
    loadProject(bytes);
    return [];
  } catch (thrown) {
    const { code, details } = BusbarError.from(thrown);
    expect(code).toBe('invalid_project');
    expect(details.total).toBe((details.problems as Problem[]).length);
    return details.problems as Problem[];
  }
};

describe('valid projects', () => {
  it.each(goldenNames('valid'))('%s is saved as it was loaded, byte for byte', (name) => {
    const bytes = goldenBytes('valid', name);
    const saved = [...projectText(loadProject(bytes))].join('');
    expect(saved).toBe(Buffer.from(bytes).toString());
  });
});

describe('invalid projects', () => {
  const met = new Set<string>();

  it.each(goldenNames('invalid'))('%s has the problems noted beside it', async (name) => {
    const problems = problemsOf(goldenBytes('invalid', name));
    for (const { table, index, field, code, message } of problems) {
      met.add(code);
      if (table === null) continue;
      expect(message.startsWith(`${table}[${index}]`)).toBe(true);
      expect(message).toContain(`: ${field || 'the row'} `);
    }
    expect(problems).not.toEqual([]);
    await expect(`${JSON.stringify(problems, null, 2)}\n`).toMatchFileSnapshot(
      join(goldenFolder, 'invalid', `${name}.problems.json`),
    );
  });

  it('each have a file of their problems, which belongs to a project', () => {
    expect(goldenNames('invalid', '.problems.json')).toEqual(goldenNames('invalid'));
  });

  it('meet every code that there is', () => {
    expect([...met].sort()).toEqual(Object.keys(problemCodes).sort());
  });
});
