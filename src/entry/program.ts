import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { readCode } from '../link/code-folder.ts';

export const distribution = dirname(process.argv[1] ?? '');

/**
 * Runs a daemon program in this thread, using precompiled code (`src/entry/compile.ts`). If V8
 * rejects that code because of its version or flags, it compiles the source.
 */
export const runProgram = (name: string): void => {
  const filename = join(distribution, `${name}.cjs`);
  const text = readFileSync(filename, 'latin1');
  // Like Node's wrapper, without setting up its ESM loader.
  const source = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
  const script = new Script(source, { filename, cachedData: readCode(distribution, name) });
  const program = { exports: {} };
  script.runInThisContext()(program.exports, require, program, filename, distribution);
};

export const startThread = (name: string, options: WorkerOptions): Worker =>
  new Worker(join(distribution, 'thread.cjs'), { ...options, name, argv: [name] });
