import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { failedFiles, filesToRepeat, passesInTheEnd } from './second-run.mjs';

const races = 'tests/scenario/races.test.ts';
const others = 'tests/scenario/others.test.ts';

const folder = mkdtempSync(join(tmpdir(), 'busbar-second-run-'));
afterAll(() => rmSync(folder, { recursive: true }));
let memories = 0;

/** Runs with shared notes. */
const startMemory = () => {
  const memory = join(folder, 'cache', `${memories++}.json`);
  /** A vitest whose runs exit with these codes; the first reports these failed files. */
  return async (failed: readonly string[], codes: readonly number[], date = '2031-05-01') => {
    const runs: (readonly string[])[] = [];
    const printed: string[] = [];
    const passed = await passesInTheEnd(
      (args: readonly string[], env: Record<string, string> = {}) => {
        for (const note of Object.values(env)) writeFileSync(note, JSON.stringify(failed));
        runs.push(args);
        return codes[runs.length - 1];
      },
      { print: (line: string) => printed.push(line), memory, now: new Date(date) },
    );
    return { passed, repeated: runs[1], printed };
  };
};

describe('a run of the tests', () => {
  it('is not repeated where it passed', async () => {
    const run = startMemory();
    expect(await run([], [0])).toEqual({ passed: true, repeated: undefined, printed: [] });
  });

  it('passes, and says so, where the files that failed pass alone', async () => {
    const { passed, repeated, printed } = await startMemory()([races], [1, 0]);
    expect(passed).toBe(true);
    expect(repeated).toEqual([races]);
    expect(printed.at(-1)).toBe(`Unstable: failed among others and passed alone: ${races}`);
  });

  it('fails where they fail again', async () => {
    expect(await startMemory()([races], [1, 1])).toMatchObject({
      passed: false,
      repeated: [races],
    });
  });

  it('fails at once where no file is to blame', async () => {
    expect(await startMemory()([], [1])).toMatchObject({ passed: false, repeated: undefined });
  });

  it('fails where a file had to be repeated in an earlier run too', async () => {
    const run = startMemory();
    expect(await run([races], [1, 0])).toMatchObject({ passed: true });
    expect(await run([others], [1, 0])).toMatchObject({ passed: true });
    expect(await run([], [0])).toMatchObject({ passed: true });
    const { passed, printed } = await run([races], [1, 0], '2031-05-09');
    expect(passed).toBe(false);
    expect(printed.at(-1)).toContain(`${races} had to be repeated on 2031-05-01 too`);
  });

  it('forgets a file that was not repeated again for two weeks', async () => {
    const run = startMemory();
    await run([races], [1, 0]);
    expect(await run([races], [1, 0], '2031-05-16')).toMatchObject({ passed: true });
  });

  it('is not repeated for more than three files', () => {
    const failed = Array.from({ length: 4 }, (_, at) => `tests/browser/${at}.test.ts`);
    expect(filesToRepeat(failed)).toEqual([]);
    expect(filesToRepeat(failed.slice(1))).toEqual(failed.slice(1));
  });

  it('notes the files with failures, unless errors came from elsewhere', () => {
    const modules = [
      { moduleId: `/repo/${races}`, state: () => 'failed' },
      { moduleId: '/repo/tests/scenario/replay.test.ts', state: () => 'passed' },
    ];
    expect(failedFiles(modules, [], '/repo')).toEqual([races]);
    expect(failedFiles(modules, [new Error('lost')], '/repo')).toEqual([]);
  });
});
