// Repeats failed test files once, separately: a busy machine can break a test that waits for
// processes, threads or sockets. Such a file has a race. It is noted in the user's cache, and
// fails the run if an earlier run had to repeat it too.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** More failures than this are not an accident. */
const maxFiles = 3;

/** How long a repeated file is remembered. */
const memoryMs = 14 * 24 * 3_600_000;

/** File in which the reporter below notes failures. */
const noteVariable = 'BUSBAR_FAILED_FILES';

/** The user's cache, because clones and CI runs are temporary. */
const usualMemory = () =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'busbar', 'repeated-tests.json');

const readMemory = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/**
 * Notes repeated files, and returns those noted before as `[file, date]`. Notes expire after
 * two weeks.
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

/** Files to repeat; none if too many failed. */
export const filesToRepeat = (failed) => (failed.length <= maxFiles ? failed : []);

/**
 * Repeats failed files with `runAlone`; true if they pass now and none was repeated in an
 * earlier run.
 */
export const passesAlone = async (failed, runAlone, options = {}) => {
  const { print = console.log, memory = usualMemory(), now = new Date() } = options;
  const files = filesToRepeat(failed);
  if (files.length === 0) return false;
  print(`Failed, repeated separately: ${files.join(', ')}`);
  if (!(await runAlone(files))) return false;
  const again = remember(files, memory, now);
  print(`Unstable: failed among others and passed alone: ${files.join(', ')}`);
  for (const [file, date] of again)
    print(`${file} had to be repeated on ${date} too: fix its race, and remove it from ${memory}`);
  return again.length === 0;
};

/**
 * Runs vitest and repeats failed files; true if all passed in the end. `runVitest` accepts
 * extra arguments and environment variables, and returns the exit code.
 */
export const passesInTheEnd = async (runVitest, options) => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-failed-'));
  const note = join(folder, 'files.json');
  try {
    const code = await runVitest(['--reporter=./scripts/second-run.mjs'], { [noteVariable]: note });
    if (code === 0) return true;
    const failed = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : [];
    return await passesAlone(failed, async (files) => (await runVitest(files)) === 0, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Failed test files by path; none if something other than a test failed. */
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
