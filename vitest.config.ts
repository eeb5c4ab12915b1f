import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Every process would read the machine's certificates, which takes a tenth of a second.
delete process.env.NODE_EXTRA_CA_CERTS;

/**
 * A limit for hangs, not for speed: a busy machine takes many times as long for builds and
 * searches.
 */
const endlessMs = 180_000;

const suites = /from '(\..*-suite\.ts)'/g;

/** Whether a test file, or a suite that it runs, has more cases for a long run. */
const hasMoreCases = (file: string): boolean => {
  const text = readFileSync(file, 'utf8');
  if (text.includes("/testing/long.ts'")) return true;
  return [...text.matchAll(suites)].some(([, suite = '']) =>
    hasMoreCases(join(dirname(file), suite)),
  );
};

const testFilesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name));

const isLong = process.env.BUSBAR_TEST_LONG === '1';

/** Test files below a folder; with BUSBAR_TEST_LONG those alone that have more cases for it. */
const testsIn = (...folders: string[]): string[] => {
  if (!isLong) return folders.map((folder) => `${folder}/**/*.test.ts`);
  return folders.flatMap((folder) => testFilesIn(folder).filter(hasMoreCases));
};

/** Whether a test file replaces globals, modules or timers. */
const usesStubs = (file: string): boolean =>
  /import \{[^}]*\bvi\b[^}]*\} from 'vitest'/.test(readFileSync(file, 'utf8'));

/** Tests of the console with stubs, or those without. */
const consoleTests = (withStubs: boolean): string[] =>
  testFilesIn('console/src').filter(
    (file) => usesStubs(file) === withStubs && (!isLong || hasMoreCases(file)),
  );

/** Whether a file has tests with a time limit above the usual one. */
const isLengthy = ({ moduleId }: TestSpecification): boolean =>
  /(?:Ms = |}, )[69]00_000[;)]/.test(readFileSync(moduleId, 'utf8'));

/** Starts with the files that take longest, so that none of them is alone at the end. */
class LengthyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const lengthy = new Set(sorted.filter(isLengthy));
    return [...lengthy, ...sorted.filter((file) => !lengthy.has(file))];
  }
}

export default defineConfig({
  test: {
    // Twice the two cores for which the suite is made: half of its time is waiting.
    maxWorkers: 4,
    sequence: { sequencer: LengthyFirst },
    globalSetup: 'tests/support/seat-root.ts',
    // Transformed files are kept for the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: testsIn('src', 'scripts', 'tests/reference'),
          // One process for many files: loading the modules for each took longer than the tests.
          isolate: false,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'console',
          include: consoleTests(false),
          isolate: false,
          // Much of the console's state is in its modules.
          setupFiles: 'tests/support/fresh-modules.ts',
          testTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'console-stubs',
          include: consoleTests(true),
          // What still runs at the end of a file must not reach the stubs of the next one.
          pool: 'threads',
          testTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'contract',
          include: testsIn('tests/contract'),
          isolate: false,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'scenario',
          include: testsIn('tests/scenario', 'tests/interop', 'tests/docs'),
          isolate: false,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'browser',
          include: testsIn('tests/browser'),
          isolate: false,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        // Needs CAN interfaces and the permission to change them: `npm run test:socketcan`
        // provides a machine for it, and `npm test` skips it.
        test: {
          name: 'socketcan',
          include: testsIn('tests/socketcan'),
          maxWorkers: 1,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
    ],
  },
});
