import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import {
  compileShared,
  compile as compileStrictly,
  hasCompiler,
} from '../../../base/testing/compile.ts';

export const sdk = resolve(import.meta.dirname, '../../../../plugin-sdk');
export const examples = ['low_pass', 'nibble_swap', 'rolling_xor', 'responder'] as const;
export type Example = (typeof examples)[number];

export { hasCompiler };

/** Runs the system's compiler with the SDK; fails with its output. */
export const compile = (program: 'cc' | 'c++', ...options: readonly string[]): void =>
  compileStrictly(program, `-I${sdk}`, ...options);

export const exampleSource = (name: string): string => join(sdk, 'examples', `${name}.c`);

/** A plugin with selectable faults. */
export const faultySource = join(import.meta.dirname, 'faulty.c');

/** A processor with random behaviour. */
export const fuzzedSource = join(import.meta.dirname, 'fuzzed.c');

/** A codec of 64 bits. */
export const reversedSource = join(import.meta.dirname, 'reversed.c');

/** Compiles a C source to a shared library, and returns its path. */
export const buildLibrary = (source: string, file: string, ...options: readonly string[]): string =>
  compileShared(source, file, `-I${sdk}`, '-fvisibility=hidden', ...options);

/** Whether a Rust compiler is available. */
export const hasRustCompiler = spawnSync('rustc', ['--version']).status === 0;

/** Compiles a Rust example to a shared library, and returns its path. */
export const buildRustLibrary = (name: string, file: string): string => {
  const strict = ['--edition=2021', '-O', '-D', 'warnings', '-C', 'strip=symbols'];
  const shared = ['--crate-type=cdylib', '-C', 'panic=abort', '-o', file];
  const source = join(sdk, 'examples', `${name}.rs`);
  const { status, stderr } = spawnSync('rustc', [...strict, ...shared, source], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return file;
};
