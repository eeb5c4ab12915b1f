// Runs test files that failed once more, by themselves: a machine that stands still for a second can throw off a
// test that waits for processes, threads or sockets. Such a file has a race. It is noted in the user's cache, and
// fails the run where it had to be repeated in an earlier one too.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** More than these are no accident. */
const maxFiles = 3;

/** How long a repeated file is remembered. */
const memoryMs = 14 * 24 * 3_600_000;

/** Names the file in which the reporter below notes what failed. */
const noteVariable = 'BUSBAR_FAILED_FILES';

/** Where repeated files are noted: in the user's cache, since clones and CI runs come and go. */
const usualMemory = () =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'busbar', 'repeated-tests.json');

const readMemory = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/**
 * Notes files that had to be repeated, and answers those that are noted already: `[file, date]`. Notes of files
 * that were not repeated again for two weeks go.
 */
const remember = (files, memory, now) => {
  const recent = Object.entries(readMemory(memory)).filter(
    ([, date]) => now.getTime() - Date.parse(date) < memoryMs,
  );
  const again = recent.filter(([file]) => files.includes(file));
  const notes = Object.fromEntries([
    ...recent,
    ...files.map((file) => [file, now.toISOString().slice(0, 10)]),
  ]);
  mkdirSync(dirname(memory), { recursive: true });
  writeFileSync(memory, `${JSON.stringify(notes, null, 2)}\n`);
  return again;
};

/** Those to run once more; none where the run has failed for good. */
export const filesToRepeat = (failed) => (failed.length <= maxFiles ? failed : []);

/**
 * Runs failed files once more by `runAlone`; true where they pass then, and none of them had to be repeated in an
 * earlier run.
 */
export const passesAlone = async (failed, runAlone, options = {}) => {
  const { print = console.log, memory = usualMemory(), now = new Date() } = options;
  const files = filesToRepeat(failed);
  if (files.length === 0) return false;
  print(`Failed, run once more by themselves: ${files.join(', ')}`);
  if (!(await runAlone(files))) return false;
  const again = remember(files, memory, now);
  print(`Unstable: failed beside others and passed alone: ${files.join(', ')}`);
  for (const [file, date] of again)
    print(`${file} had to be repeated on ${date} too: fix its race, and remove it from ${memory}`);
  return again.length === 0;
};

/**
 * Runs vitest, and some files that failed once more; true where all passed in the end. `runVitest` takes
 * arguments and environment variables beside its own, and answers the exit code.
 */
export const passesInTheEnd = async (runVitest, options) => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-failed-'));
  const note = join(folder, 'files.json');
  try {
    if (runVitest(['--reporter=./scripts/second-run.mjs'], { [noteVariable]: note }) === 0)
      return true;
    const failed = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : [];
    return await passesAlone(failed, (files) => runVitest(files) === 0, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Test files that failed, by their paths in the repository; none where something beside tests failed. */
export const failedFiles = (modules, unhandledErrors, root) =>
  unhandledErrors.length > 0
    ? []
    : modules
        .filter((module) => module.state() === 'failed')
        .map((module) => relative(root, module.moduleId));

export default class FailedFiles {
  #root = '.';

  onInit({ config }) {
    this.#root = config.root;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const note = process.env[noteVariable];
    if (note)
      writeFileSync(note, JSON.stringify(failedFiles(modules, unhandledErrors, this.#root)));
  }
}
