import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { cases } from '../testing/long.ts';
import { openByDescriptor } from './descriptor-handle.ts';
import { openByPath } from './path-handle.ts';
import { ProjectRoot } from './project-root.ts';
import { FileSandbox } from './testing/file-sandbox.ts';

const sandbox = new FileSandbox();
sandbox.write('project/file', 'x');
sandbox.write('project/dir/file', 'x');
sandbox.write('project/dir/dir/file', 'x');
sandbox.write('outside/file', 'x');
sandbox.write('outside/dir/file', 'x');
sandbox.link('project/in', 'dir/dir');
sandbox.link('project/dir/in', '../in');
sandbox.link('project/dir/dir/top', join(sandbox.project, '.'));
sandbox.link('project/out', '../outside');
sandbox.link('project/dir/out', sandbox.outside);
sandbox.link('outside/in', sandbox.project);
sandbox.link('project/loop', 'dir/loop');
sandbox.link('project/dir/loop', '../loop/file');

afterAll(() => sandbox.dispose());

const isInside = (path: string): boolean =>
  path === sandbox.project || path.startsWith(`${sandbox.project}/`);

/** The target of a path according to the kernel, if any. */
const real = (names: readonly string[]): string | undefined => {
  try {
    return realpathSync.native([sandbox.project, ...names].join('/'));
  } catch {
    return undefined;
  }
};

const attempt = (root: ProjectRoot, path: string): string => {
  try {
    return root.resolve(path);
  } catch (thrown) {
    return BusbarError.from(thrown).code;
  }
};

describe.each([
  ['descriptors', openByDescriptor],
  ['paths', openByPath],
] as const)('any path in a root held by %s', (_kind, pinPath) => {
  it('leads where the kernel says, if every step of it stays inside, and nowhere else', () => {
    const root = ProjectRoot.open(sandbox.project, {}, pinPath);
    const name = fc.constantFrom('file', 'dir', 'in', 'out', 'top', 'loop', 'no', '.', '', '..');
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        (names, absolute) => {
          const given = absolute ? [sandbox.project, ...names].join('/') : `./${names.join('/')}`;
          const steps = names.map((_, index) => real(names.slice(0, index + 1)));
          const staysInside = steps.every((step) => step !== undefined && isInside(step));
          const answer = attempt(root, given);
          seen.add(isInside(answer) ? 'inside' : answer);
          if (staysInside) expect(answer).toBe(steps.at(-1));
          else
            expect(['path_outside_project', 'file_not_found', 'file_unavailable']).toContain(
              answer,
            );
        },
      ),
      { seed: 20, numRuns: cases(400, 2_000) },
    );
    root.close();
    expect([...seen].sort()).toEqual([
      'file_not_found',
      'file_unavailable',
      'inside',
      'path_outside_project',
    ]);
  });
});
