// Benchmarks measure the sources as the product runs them: bundled, with native parts outside.
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, stop } from 'esbuild';

// Packages in CommonJS call it.
const require = `import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);`;

/** Bundles `<program>.ts` of a folder, each into `<program>.mjs` of another. */
export const bundlePrograms = async (sources, programs, outdir) => {
  await build({
    entryPoints: programs.map((program) => join(sources, `${program}.ts`)),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['koffi'],
    outdir,
    outExtension: { '.js': '.mjs' },
    banner: { js: require },
    logLevel: 'error',
  });
  // Its service wakes up again and again, at the cost of what is measured.
  await stop();
  symlinkSync(resolve(import.meta.dirname, '../node_modules'), join(outdir, 'node_modules'));
};
