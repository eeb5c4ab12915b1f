// Runs bundled test files in this process, one after the other: node run-tests.js <folder>
// <file>… On an emulated processor vitest takes half a minute to load, its runner one second.
// Machines with the same folder share the files.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startTests } from '@vitest/runner';
import { failedFilesCode, noteFailed, take } from './claims.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const endlessMs = 300_000;
const marks = { pass: '✓', fail: '✗', skip: '-' };

const nameOf = (task) => (task.suite ? `${nameOf(task.suite)} > ${task.name}` : task.name);

/** Whether the current file has failed. */
let fileFails = false;
const counts = { pass: 0, fail: 0, skip: 0 };

const tell = (task, state) => {
  const { errors = [], duration = 0 } = task.result ?? {};
  console.log(`${marks[state]} ${nameOf(task)} (${(duration / 1000).toFixed(1)} s)`);
  for (const { message, stack, diff } of errors) {
    fileFails = true;
    console.log([stack?.includes(message) ? stack : `${message}\n${stack}`, diff ?? ''].join('\n'));
  }
};

const runner = {
  config: {
    root: folder,
    setupFiles: [],
    sequence: { hooks: 'stack', seed: 0, concurrent: false, setupFiles: 'list' },
    testTimeout: endlessMs,
    hookTimeout: endlessMs,
    maxConcurrency: 1,
    retry: 0,
    chaiConfig: undefined,
    passWithNoTests: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  },
  importFile: (file) => import(pathToFileURL(file).href),
  onAfterRunTask(test) {
    const state = test.result?.state ?? 'skip';
    counts[state] += 1;
    tell(test, state);
  },
  onAfterRunSuite(suite) {
    // Errors of hooks, and of files that could not be loaded.
    if (suite.result?.errors?.length) tell(suite, 'fail');
  },
};

let rejected = false;
process.on('unhandledRejection', (error) => {
  rejected = true;
  console.log('Unhandled rejection', error);
});

const [claims, ...names] = process.argv.slice(2);
console.log(`  the machine: ${Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])} s`);
let taken = 0;
let failed = 0;
for (const name of names) {
  if (!take(claims, name)) continue;
  taken += 1;
  fileFails = false;
  const file = join(folder, name);
  const started = performance.now();
  const [result] = await startTests([file], runner);
  if (fileFails || result?.result?.state === 'fail') {
    failed += 1;
    noteFailed(claims, name);
  }
  const tookS = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  ${basename(file)}: ${tookS} s`);
}
console.log(`${counts.pass} passed, ${counts.fail} failed, ${counts.skip} skipped`);
// Exits without waiting for handles that a failed test left open.
if (rejected || (taken > 0 && failed === 0 && counts.pass === 0)) process.exit(1);
process.exit(failed > 0 ? failedFilesCode : 0);
