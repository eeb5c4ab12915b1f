// npm run test:socketcan [-- part of a file name…]: runs the tests that need SocketCAN in a
// virtual machine. Without a machine it prints the reason and exits with 0, or with 1 if
// CI=true.
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './load-source.mjs';
import { makeReady } from './ready.mjs';
import { orSkip, runInVm } from './run-in-vm.mjs';
import { passesAlone } from './second-run.mjs';
import { failedFilesCode, hasFailed } from './vm/tests/claims.mjs';

const runner = 'scripts/vm/tests/run-tests.mjs';
/** Tests are bound by the processor: an emulated machine uses one of the host's. */
const machines = Math.min(2, availableParallelism());
const face = join(root, 'scripts/vm/tests/vitest-face.mjs');

const testFiles = async (parts) => {
  const names = await readdir(join(root, 'tests/socketcan'), { recursive: true });
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))
    .map((name) => `tests/socketcan/${name}`)
    .sort();
};

/** Sources resolve their neighbours from their own folder, not from the bundle. */
const placesOfSources = {
  name: 'places-of-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

/** Bundles everything into few files, because the emulated machine reads files slowly. */
const bundle = (files, outdir) =>
  build({
    absWorkingDir: root,
    entryPoints: [runner, ...files],
    outdir,
    outbase: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: { vitest: face },
    external: ['koffi', 'esbuild'],
    plugins: [placesOfSources],
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });

const bundledName = (file) => relative(dirname(runner), file).replace(/\.ts$/, '.js');

/**
 * Runs files in several machines and returns the failed ones; null if a machine ended
 * otherwise.
 */
const failedOf = async (files, scratch, count) => {
  const claims = await mkdtemp(join(scratch, 'claims-'));
  const names = files.map(bundledName);
  const program = join(scratch, runner.replace(/\.mjs$/, '.js'));
  const runOne = (_, index) =>
    runInVm([process.execPath, program, claims, ...names], {
      variables: { CI: process.env.CI ?? '' },
      shared: claims,
      onLine: (line) => console.log(`${index + 1}| ${line}`),
    });
  const all = { length: Math.min(count, files.length) };
  const codes = await Promise.all(Array.from(all, runOne));
  if (codes.some((code) => code !== 0 && code !== failedFilesCode)) return null;
  return files.filter((file) => hasFailed(claims, bundledName(file)));
};

/** Exit code of the tests, after failed files were repeated alone. */
const codeOf = async (files, scratch) => {
  const failed = await failedOf(files, scratch, machines);
  if (failed === null) return 1;
  const passAlone = async (some) => (await failedOf(some, scratch, 1))?.length === 0;
  return failed.length === 0 || (await passesAlone(failed, passAlone)) ? 0 : 1;
};

await makeReady();
const files = await testFiles(process.argv.slice(2));
if (files.length === 0) {
  console.log('No test below tests/socketcan has such a name');
  process.exit(2);
}
const scratch = await mkdtemp(join(tmpdir(), 'busbar-socketcan-'));
try {
  await bundle(files, scratch);
  await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'));
  process.chdir(root);
  process.exitCode = await orSkip('the tests of SocketCAN', () => codeOf(files, scratch));
} finally {
  await rm(scratch, { recursive: true });
}
