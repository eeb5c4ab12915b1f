import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';

/** A program: a file, or a text with the imports of a file in that folder. */
export type Program =
  | { readonly file: string }
  | { readonly text: string; readonly folder: string };

/** Bundles a program into one file for Node, and returns its path. */
export const bundleProgram = async (
  program: Program,
  outfile: string,
  options: Pick<BuildOptions, 'external' | 'plugins'> = {},
): Promise<string> => {
  const entry: BuildOptions =
    'file' in program
      ? { entryPoints: [program.file] }
      : { stdin: { contents: program.text, resolveDir: program.folder, loader: 'ts' } };
  await build({
    ...entry,
    ...options,
    bundle: true,
    format: outfile.endsWith('.mjs') ? 'esm' : 'cjs',
    platform: 'node',
    target: 'node20',
    outfile,
    logLevel: 'error',
  });
  return outfile;
};

/** Runs a program in a separate process with these Node flags, and returns its output. */
export const runProgram = async (program: Program, flags: readonly string[]): Promise<string> => {
  const scratch = mkdtempSync(join(tmpdir(), 'busbar-program-'));
  try {
    const file = await bundleProgram(program, join(scratch, 'program.cjs'));
    return (await promisify(execFile)(process.execPath, [...flags, file])).stdout;
  } finally {
    rmSync(scratch, { recursive: true });
  }
};
