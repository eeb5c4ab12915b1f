// Bundles the product: bin/busbar (what starts the CLI), dist/ (the CLI, in parts, the daemon, its
// threads, the console and the documentation) and code/ (what V8 makes of them). Two builds of the same sources give the same
// bin/ and dist/, byte for byte; code/ is of this machine and this Node, and belongs to no package.
import { existsSync, rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { build as buildPages } from 'vite';
import { bundleSmallProgram } from './bundle-program.mjs';
import { packagesOf, renderLicences, renderSbom } from './bundled-packages.mjs';
import { copyNativeLibraries, koffiFromDist, koffiInDist, koffiLoader } from './koffi.mjs';
import { loadSource, root } from './load-source.mjs';
import { run } from './ready.mjs';
import { renderSite } from './site/render-site.mjs';
import { sourceStamp, stampFile, writeSourceRecord } from './stamp.mjs';

// Vite would build for development where the caller's environment says so, as that of tests does.
process.env.NODE_ENV = 'production';

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // CommonJS starts a few milliseconds faster, which is a fifth of what a command may take.
  format: 'cjs',
  legalComments: 'none',
  metafile: true,
  // Paths in source maps are those of the tree, wherever its packages were installed.
  preserveSymlinks: true,
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
const { renderManPage } = await loadSource('src/operations/render/man-page.ts');
const { renderCompletion } = await loadSource('src/cli/completion/render-completion.ts');
const { product } = await loadSource('src/base/product.ts');

// Built aside and put in place at the end: a command that is run meanwhile finds the product whole.
const aside = join(root, 'dist', `.new-${process.pid}`);
await mkdir(aside, { recursive: true });
// Also where something below fails: everything in dist/ is packed.
process.on('exit', () => rmSync(aside, { recursive: true, force: true }));
const cliTable = renderCliTable(operations);
await writeFile(join(aside, 'cli-table.jsonl'), packCliTable(cliTable));
for (const folder of ['man', 'completions']) await mkdir(join(aside, folder));
const manPage = renderManPage(describeCommands(operations), product.version);
await writeFile(join(aside, 'man', 'busbar.1'), manPage);
for (const [shell, name] of Object.entries({
  bash: 'busbar',
  zsh: '_busbar',
  fish: 'busbar.fish',
})) {
  await writeFile(join(aside, 'completions', name), renderCompletion(shell, cliTable));
}
const texts = embeddedTexts({
  'busbar:descriptions': brotliCompressSync(JSON.stringify(describeCommands(operations))).toString(
    'base64',
  ),
});
const built = [];
const bundle = async (options) => {
  const { metafile } = await build({
    ...common,
    ...options,
    plugins: [...(options.plugins ?? []), koffiInDist],
  });
  built.push(...Object.keys(metafile.inputs));
};
const cli = { minify: true };
await bundle({ entryPoints: ['src/entry/busbar.cjs'], outfile: join(aside, 'busbar') });
await chmod(join(aside, 'busbar'), 0o755);
await bundle({
  ...cli,
  entryPoints: ['src/entry/cli.ts'],
  outfile: join(aside, 'cli.cjs'),
  // A script has no module of its own: it is given that of bin/busbar.
  banner: { js: '(function (exports, require, module) {' },
  footer: { js: '})' },
  plugins: [texts, betweenParts('../dist')],
});
await bundle({
  ...cli,
  entryPoints: cliParts.map((path) => ({ in: path, out: partName(path) })),
  outdir: aside,
  outExtension: { '.js': '.cjs' },
  plugins: [texts, betweenParts('.'), errorsOfTheCli],
});
const programs = [
  'bench',
  'client',
  'loader',
  'recorder',
  'builder',
  'daemon',
  'thread',
  'plugin-probe',
  'compile',
];
for (const name of programs) {
  const entry = join(root, 'src', 'entry', `${name}.ts`);
  // The program of the bench thread stays a file of its own.
  const paths = { koffi: koffiFromDist, './bench.cjs': './bench.cjs' };
  built.push(...(await bundleSmallProgram(entry, join(aside, `${name}.cjs`), { paths })));
}
await copyFile(join(root, 'src', 'entry', 'code-writer.cjs'), join(aside, 'code-writer.cjs'));
await bundle({ ...koffiLoader(aside) });
await copyNativeLibraries(join(aside, 'koffi'));
const pages = await buildPages({
  configFile: join(root, 'console', 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: join(aside, 'console') },
});
built.push(...pages.output.flatMap(({ moduleIds = [] }) => moduleIds));
for (const [path, content] of await renderSite(root)) {
  const file = join(aside, 'site', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
const bundled = await packagesOf(built);
await writeSourceRecord(aside);
await writeFile(join(aside, 'licences.txt'), await renderLicences(bundled));
await writeFile(join(aside, 'sbom.cdx.json'), await renderSbom(bundled));
// V8 compares code with the length of its source alone: that of an older build must be gone before.
const code = join(root, 'code');
await rm(code, { recursive: true, force: true });
// A folder takes no other's place while there is something in it.
await mkdir(join(aside, 'old'));
for (const folder of ['completions', 'console', 'koffi', 'man', 'site']) {
  const place = join(root, 'dist', folder);
  if (existsSync(place)) await rename(place, join(aside, 'old', folder));
}
const made = (await readdir(aside)).filter((name) => name !== 'old');
for (const name of made) {
  const place = name === 'busbar' ? 'bin' : 'dist';
  await rename(join(aside, name), join(root, place, name));
}
// What older builds made and this one does not.
for (const name of await readdir(join(root, 'dist'))) {
  if (made.includes(name) || name.startsWith('.')) continue;
  await rm(join(root, 'dist', name), { recursive: true });
}
await writeFile(stampFile, await sourceStamp());
if (!process.argv.includes('--without-code')) {
  run(process.execPath, [join(root, 'dist', 'compile.cjs'), code]);
  await chmod(code, 0o755);
}
