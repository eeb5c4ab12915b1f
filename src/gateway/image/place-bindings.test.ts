import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import type { Project } from '../project/project.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { bindingsByMessage } from './place-bindings.ts';

/** A project with nested multiplexors, the innermost first, and a counter of `mux` reads. */
const nested = (depth: number) => {
  const loose = coolantProject();
  const [template] = loose.bindings;
  loose.bindings = Array.from({ length: depth }, (_, index) => ({
    ...template,
    id: `b${index}`,
    ...(index + 1 < depth ? { mux: { selector: `b${index + 1}`, values: ['1'] } } : {}),
  }));
  const project = readLoose(loose).toProject();
  let reads = 0;
  const bindings = project.bindings.map(
    (row) =>
      new Proxy(row, {
        get: (target, key) => {
          if (key === 'mux') reads += 1;
          return Reflect.get(target, key);
        },
      }),
  );
  return { project: { ...project, bindings } satisfies Project, reads: () => reads };
};

describe('bindingsByMessage', () => {
  it('puts selectors before what they select, however deep, and keeps the order of others', () => {
    const { project } = nested(5);
    const [binding] = project.bindings;
    const beside = { ...binding, id: 'beside', mux: { selector: 'b4', values: ['2'] } };
    const bindings = [beside, ...project.bindings] as Project['bindings'];
    const placed = bindingsByMessage({ ...project, bindings });
    expect(placed.get('Engine')?.map(({ row }) => row.id)).toEqual([
      ...['b4', 'beside', 'b3', 'b2', 'b1', 'b0'],
    ]);
  });

  it('follows each selector once or twice, however deep they are nested', () => {
    const depth = cases(5_000, 20_000);
    const { project, reads } = nested(depth);
    expect(bindingsByMessage(project).get('Engine')?.at(-1)?.row.id).toBe('b0');
    expect(reads()).toBeLessThanOrEqual(8 * depth);
  });
});
