// Bundles the product: bin/busbar (what starts the CLI) and dist/ (the CLI, in parts, the daemon, its
// threads, and the console).
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { build as buildPages } from 'vite';
import { compilePrograms, programs } from './compile-programs.mjs';
import { loadSource, root } from './load-source.mjs';
import { sourceStamp, stampFile } from './stamp.mjs';

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // CommonJS starts a few milliseconds faster, which is a fifth of what a command may take.
  format: 'cjs',
  external: ['koffi'],
  legalComments: 'none',
  logLevel: 'warning',
  // require() is as lazy, and does not set up the loader of ES modules, which takes longer.
  supported: { 'dynamic-import': false },
};

/** Gives `busbar:<name>` imports their texts. */
const embeddedTexts = (texts) => ({
  name: 'embedded-texts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^busbar:/ }, ({ path }) => ({ path, namespace: 'embedded' }));
    onLoad({ filter: /.*/, namespace: 'embedded' }, ({ path }) => ({
      contents: texts[path],
      loader: 'text',
    }));
  },
});

/**
 * What only some commands need: loading it would cost all the others a part of their time. Each
 * `import()` of one becomes a file in dist/ of its own.
 */
const cliParts = [
  'src/cli/local-commands.ts',
  'src/cli/completion/render-completion.ts',
  'src/cli/receive.ts',
  'src/cli/watch.ts',
  'src/cli/poll.ts',
  'src/cli/modbus-values.ts',
  'src/cli/scan.ts',
  'src/cli/send.ts',
  'src/cli/send-batch.ts',
  'src/cli/send-list.ts',
  'src/cli/history.ts',
  'src/cli/web-start.ts',
  'src/cli/daemon-process.ts',
  'src/cli/daemon-start.ts',
  'src/cli/demo.ts',
  'src/cli/doctor.ts',
  'src/cli/gateway-commands.ts',
  'src/cli/trace-commands.ts',
  'src/entry/cli-descriptions.ts',
];
const partName = (path) => `cli-${basename(path, '.ts').replace(/^cli-/, '')}`;

/** Leads from one file of the CLI to the next; `dist` is where the importing file finds dist/. */
const betweenParts = (dist) => ({
  name: 'between-parts',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const part = cliParts.find((known) => join(root, known) === resolve(resolveDir, path));
      return part && { path: `${dist}/${partName(part)}.cjs`, external: true };
    });
  },
});

/** What V8 makes of a script, down to the last function, so that a start has nothing to compile. */
const compile = (source) => {
  setFlagsFromString('--no-lazy');
  const script = new Script(source);
  // Code is taken only where the flags are those under which it was written down.
  setFlagsFromString('--lazy');
  return script.createCachedData();
};

/** There must be one class of errors, however many files know it: the one that bin/busbar has. */
const errorsOfTheCli = {
  name: 'errors-of-the-cli',
  setup({ onResolve }) {
    onResolve({ filter: /\/busbar-error\.ts$/ }, () => ({ path: '../bin/busbar', external: true }));
  },
};

const { operations } = await loadSource('src/operations/registry.ts');
const { packCliTable, renderCliTable } = await loadSource('src/operations/render/cli-table.ts');
const { describeCommands } = await loadSource('src/operations/render/describe.ts');

// Built aside and put in place at the end: a command that is run meanwhile finds the product whole.
const aside = join(root, 'dist', `.new-${process.pid}`);
await mkdir(aside, { recursive: true });
await writeFile(join(aside, 'cli-table.jsonl'), packCliTable(renderCliTable(operations)));
const texts = embeddedTexts({
  'busbar:descriptions': brotliCompressSync(JSON.stringify(describeCommands(operations))).toString(
    'base64',
  ),
});
const cli = { ...common, minify: true };
await copyFile(join(root, 'src', 'entry', 'busbar.cjs'), join(aside, 'busbar'));
await chmod(join(aside, 'busbar'), 0o755);
const cliFile = join(aside, 'cli.cjs');
await build({
  ...cli,
  entryPoints: ['src/entry/cli.ts'],
  outfile: cliFile,
  // A script has no module of its own: it is given that of bin/busbar.
  banner: { js: '(function (exports, require, module) {' },
  footer: { js: '})' },
  plugins: [texts, betweenParts('../dist')],
});
await writeFile(join(aside, 'cli.code'), compile(await readFile(cliFile, 'utf8')));
await build({
  ...cli,
  entryPoints: cliParts.map((path) => ({ in: path, out: partName(path) })),
  outdir: aside,
  outExtension: { '.js': '.cjs' },
  plugins: [texts, betweenParts('.'), errorsOfTheCli],
});
await build({
  ...common,
  entryPoints: [...programs, 'daemon', 'thread', 'plugin-probe'].map(
    (name) => `src/entry/${name}.ts`,
  ),
  // The program of the bench thread stays a file of its own.
  external: [...common.external, './bench.cjs'],
  outdir: aside,
  outExtension: { '.js': '.cjs' },
  // Each thread keeps its source in memory. Names stay, and lines short, so that stack traces can be read.
  minifyWhitespace: true,
  lineLimit: 100,
  sourcemap: true,
  sourcesContent: false,
});
await buildPages({
  configFile: join(root, 'console', 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: join(aside, 'console') },
});
await compilePrograms(aside);
// A folder takes no other's place while there is something in it.
await mkdir(join(aside, 'old'));
const pages = join(root, 'dist', 'console');
if (existsSync(pages)) await rename(pages, join(aside, 'old', 'console'));
for (const name of await readdir(aside)) {
  if (name === 'old') continue;
  const place = name === 'busbar' ? 'bin' : 'dist';
  await rename(join(aside, name), join(root, place, name));
}
await rm(aside, { recursive: true });
await writeFile(stampFile, await sourceStamp());
