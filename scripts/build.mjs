// Bundles the product: bin/busbar (the CLI, one file) and dist/ (the daemon and its threads).
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
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
  // import() must survive as such: it loads what only some runs need.
  supported: { 'dynamic-import': true },
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

const { operations } = await loadSource('src/operations/registry.ts');
const { renderCliTable } = await loadSource('src/operations/render/cli-table.ts');
const { describeCommands } = await loadSource('src/operations/render/describe.ts');

// Built aside and put in place at the end: whoever runs the product meanwhile finds it whole.
const aside = join(root, 'dist', `.new-${process.pid}`);
await mkdir(aside, { recursive: true });
await build({
  ...common,
  entryPoints: ['src/entry/cli.ts'],
  outfile: join(aside, 'busbar'),
  banner: { js: '#!/usr/bin/env node' },
  minify: true,
  plugins: [
    embeddedTexts({
      'busbar:cli-table': JSON.stringify(renderCliTable(operations)),
      // Only help reads them; packed, they cost the other commands next to nothing to load.
      'busbar:descriptions': brotliCompressSync(
        JSON.stringify(describeCommands(operations)),
      ).toString('base64'),
    }),
  ],
});
await chmod(join(aside, 'busbar'), 0o755);
await build({
  ...common,
  entryPoints: ['daemon', 'client', 'metronome', 'loader'].map((name) => `src/entry/${name}.ts`),
  outdir: aside,
  outExtension: { '.js': '.cjs' },
  sourcemap: true,
  sourcesContent: false,
});
for (const name of await readdir(aside)) {
  const place = name === 'busbar' ? 'bin' : 'dist';
  await rename(join(aside, name), join(root, place, name));
}
await rm(aside, { recursive: true });
await writeFile(stampFile, await sourceStamp());
