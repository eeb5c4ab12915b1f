// Decides on test files that failed. A machine that stands still for a second can throw one off that waits
// for processes, threads or sockets: a few are run once more, alone, and told as unstable if they pass.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** More than these are no accident. */
const maxFiles = 3;

/** Names the file in which the reporter below notes what failed. */
const noteVariable = 'BUSBAR_FAILED_FILES';

/** Those to run once more; none where the run has failed for good. */
export const filesToRepeat = (failed) => (failed.length <= maxFiles ? failed : []);

/** Runs those of the failed files that may be once more, by `runAlone`, and prints it; true where they pass then. */
export const passesAlone = async (failed, runAlone, print = console.log) => {
  const files = filesToRepeat(failed);
  if (files.length === 0) return false;
  print(`Failed, run once more by themselves: ${files.join(', ')}`);
  if (!(await runAlone(files))) return false;
  print(`Unstable: failed beside others and passed alone: ${files.join(', ')}`);
  return true;
};

/**
 * Runs vitest, and some files that failed once more; true where all passed in the end. `runVitest` takes
 * arguments and variables of the environment beside its own, and answers the exit code.
 */
export const passesInTheEnd = async (runVitest, print) => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-failed-'));
  const note = join(folder, 'files.json');
  try {
    if (runVitest(['--reporter=./scripts/second-run.mjs'], { [noteVariable]: note }) === 0)
      return true;
    const failed = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : [];
    return await passesAlone(failed, (files) => runVitest(files) === 0, print);
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
