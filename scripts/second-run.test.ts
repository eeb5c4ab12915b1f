import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failedFiles, filesToRepeat, passesInTheEnd } from './second-run.mjs';

const races = 'tests/scenario/races.test.ts';

/** Vitest whose runs end like this, one after the other, the first with these failed files. */
const fakeVitest = async (failed: readonly string[], ...codes: number[]) => {
  const runs: (readonly string[])[] = [];
  const printed: string[] = [];
  const passed = await passesInTheEnd(
    (args: readonly string[], env: Record<string, string> = {}) => {
      for (const note of Object.values(env)) writeFileSync(note, JSON.stringify(failed));
      runs.push(args);
      return codes[runs.length - 1];
    },
    (line: string) => printed.push(line),
  );
  return { passed, repeated: runs[1], printed };
};

describe('a run of the tests', () => {
  it('is not repeated where it passed', async () => {
    expect(await fakeVitest([], 0)).toEqual({ passed: true, repeated: undefined, printed: [] });
  });

  it('passes, and says so, where the files that failed pass alone', async () => {
    const { passed, repeated, printed } = await fakeVitest([races], 1, 0);
    expect(passed).toBe(true);
    expect(repeated).toEqual([races]);
    expect(printed.at(-1)).toBe(`Unstable: failed beside others and passed alone: ${races}`);
  });

  it('fails where they fail again', async () => {
    expect(await fakeVitest([races], 1, 1)).toMatchObject({ passed: false, repeated: [races] });
  });

  it('fails at once where no file is to blame', async () => {
    expect(await fakeVitest([], 1)).toMatchObject({ passed: false, repeated: undefined });
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
