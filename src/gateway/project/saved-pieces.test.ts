import { describe, expect, it } from 'vitest';
import { loadProject } from './load-project.ts';
import { coolantProject, type LooseProject } from './testing/coolant-project.ts';
import { goldenBytes, goldenNames } from './testing/golden-projects.ts';
import { projectText, savedPieces } from './write-project.ts';

const bytesOf = (project: LooseProject): Buffer => Buffer.from(JSON.stringify(project));
const saved = (bytes: Uint8Array, max: number): Buffer | null => {
  const pieces = savedPieces(loadProject(bytes), max);
  return pieces && Buffer.concat(pieces);
};

describe('savedPieces', () => {
  it('are in lines where these are few enough', () => {
    const bytes = bytesOf(coolantProject());
    const text = [...projectText(loadProject(bytes))].join('');
    expect(text.length).toBeGreaterThan(bytes.length);
    expect(saved(bytes, text.length)?.toString()).toBe(text);
    expect(saved(bytes, text.length - 1)?.toString()).not.toContain('\n');
  });

  it.each(goldenNames('valid'))('of %s are never more than a file that was loaded had', (name) => {
    const shortest = bytesOf(JSON.parse(Buffer.from(goldenBytes('valid', name)).toString()));
    const once = saved(shortest, shortest.length) as Buffer;
    expect(once.length).toBeLessThanOrEqual(shortest.length);
    expect(loadProject(once)).toEqual(loadProject(shortest));
    expect(saved(once, shortest.length)).toEqual(once);
  });

  it('are none where digits that are written out make it too large', () => {
    const project = coolantProject();
    project.mappings[0].transform.k = 0;
    const bytes = Buffer.from(JSON.stringify(project).replace('"k":0', '"k":1e20'));
    expect(saved(bytes, bytes.length)).toBeNull();
    expect(saved(bytes, bytes.length + 17)?.toString()).toContain('"k":100000000000000000000,');
  });

  it('have no margins where these alone would be too many', () => {
    const project = coolantProject();
    let context: unknown = Array(100_000).fill(1);
    for (let depth = 0; depth < 55; depth += 1) context = [context];
    project.plugins = [
      { id: 'p', kind: 'codec', library: 'plugins/p.so', entry: 'p', context: { a: context } },
    ];
    const bytes = bytesOf(project);
    expect(saved(bytes, 8 * bytes.length)?.length).toBeLessThanOrEqual(bytes.length);
  });
});
