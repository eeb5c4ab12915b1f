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

/** Runs the system's compiler with the SDK at hand; fails with what it says. */
export const compile = (program: 'cc' | 'c++', ...options: readonly string[]): void =>
  compileStrictly(program, `-I${sdk}`, ...options);

export const exampleSource = (name: string): string => join(sdk, 'examples', `${name}.c`);

/** A plugin with faults to choose from. */
export const faultySource = join(import.meta.dirname, 'faulty.c');

/** A processor that does anything at random. */
export const fuzzedSource = join(import.meta.dirname, 'fuzzed.c');

/** A codec of 64 bits. */
export const reversedSource = join(import.meta.dirname, 'reversed.c');

/** Makes a shared library of a source in C; answers its file. */
export const buildLibrary = (source: string, file: string, ...options: readonly string[]): string =>
  compileShared(source, file, `-I${sdk}`, '-fvisibility=hidden', ...options);

/** Whether there is a compiler of Rust. */
export const hasRustCompiler = spawnSync('rustc', ['--version']).status === 0;

/** Makes a shared library of an example in Rust; answers its file. */
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
