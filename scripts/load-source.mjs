// Runs a TypeScript source file in a script: bundles it in memory and imports the result.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = resolve(import.meta.dirname, '..');

export const loadSource = async (path) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['koffi'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  const directory = await mkdtemp(join(tmpdir(), 'busbar-source-'));
  try {
    const file = join(directory, 'source.mjs');
    await writeFile(file, outputFiles[0].contents);
    return await import(pathToFileURL(file).href);
  } finally {
    await rm(directory, { recursive: true });
  }
};
