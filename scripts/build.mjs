// Builds bin/busbar (the CLI launcher), dist/ (CLI, daemon, threads, console, documentation)
// and code/ (V8 code caches). bin/ and dist/ are reproducible byte for byte; code/ depends on
// this machine and Node, and is not packaged.
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

// With NODE_ENV of a test run, Vite would build for development.
process.env.NODE_ENV = 'production';

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // CommonJS starts a few milliseconds faster, a fifth of the time of a command.
  format: 'cjs',
  legalComments: 'none',
  metafile: true,
  // Paths in source maps must not depend on where packages are installed.
  preserveSymlinks: true,
  logLevel: 'warning',
  // require() is lazy too, and avoids the slower ES module loader.
  supported: { 'dynamic-import': false },
};

/** Resolves `busbar:<name>` imports to embedded texts. */
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
 * Modules that only some commands need. Each `import()` of one becomes a separate file in
 * dist/.
 */
const cliParts = [
  'src/cli/local-commands.ts',
  'src/cli/completion/render-completion.ts',
  'src/cli/receive.ts',
  'src/cli/watch.ts',
  'src/cli/pdu-watch.ts',
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
  'src/cli/trace-tables.ts',
  'src/cli/trace-pdus.ts',
  'src/entry/cli-descriptions.ts',
];
const partName = (path) => `cli-${basename(path, '.ts').replace(/^cli-/, '')}`;

/**
 * Resolves imports between files of the CLI; `dist` is the path of dist/ from the importing
 * file.
 */
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

/** All files share the error class of bin/busbar, so that instanceof works. */
const errorsOfTheCli = {
  name: 'errors-of-the-cli',
  setup({ onResolve }) {
    onResolve({ filter: /\/busbar-error\.ts$/ }, () => ({ path: '../bin/busbar', external: true }));
  },
};

const { operations } = await loadSource('src/operations/registry.ts');
const { packCliTable, renderCliTable } = await loadSource('src/operations/render/cli-table.ts');
const { describeCommands } = await loadSource('src/operations/render/describe.ts');
const { renderManPage } = await loadSource('scripts/reference/man-page.ts');
const { renderCompletion } = await loadSource('src/cli/completion/render-completion.ts');
const { product } = await loadSource('src/base/product.ts');

// The build is made in a temporary folder and moved at the end, so that commands never see half
// of it.
const aside = join(root, 'dist', `.new-${process.pid}`);
await mkdir(aside, { recursive: true });
// The folder must also be removed after a failure: everything in dist/ is packed.
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
  // A script has no module object: it uses the one of bin/busbar.
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
  'decoder',
  'daemon',
  'thread',
  'plugin-probe',
  'compile',
];
for (const name of programs) {
  const entry = join(root, 'src', 'entry', `${name}.ts`);
  // The program of the bench thread stays a separate file.
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
// V8 compares a code cache only with the length of its source, so old caches must be removed
// first.
const code = join(root, 'code');
await rm(code, { recursive: true, force: true });
// rename() cannot replace a folder that is not empty.
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
// Removes files of older builds.
for (const name of await readdir(join(root, 'dist'))) {
  if (made.includes(name) || name.startsWith('.')) continue;
  await rm(join(root, 'dist', name), { recursive: true });
}
await writeFile(stampFile, await sourceStamp());
if (!process.argv.includes('--without-code')) {
  run(process.execPath, [join(root, 'dist', 'compile.cjs'), code]);
  await chmod(code, 0o755);
}
