// Benchmarks measure the sources as the product runs them: bundled, with native parts external.
import { symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bundleProgram } from '../scripts/bundle-program.mjs';

/** Bundles each `<program>.ts` of a folder into `<program>.mjs` of another. */
export const bundlePrograms = async (sources, programs, outdir) => {
  await mkdir(outdir, { recursive: true });
  for (const program of programs) {
    const outfile = join(outdir, `${program}.mjs`);
    const options = { format: 'esm', paths: { koffi: 'koffi' } };
    await bundleProgram(join(sources, `${program}.ts`), outfile, options);
  }
  symlinkSync(resolve(import.meta.dirname, '../node_modules'), join(outdir, 'node_modules'));
};
