import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether the system has a compiler. */
export const hasCompiler = existsSync('/usr/bin/cc');

const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Werror'];

/** Runs the system's compiler; fails with its output. */
export const compile = (program: 'cc' | 'c++', ...options: readonly string[]): void => {
  const { status, stderr } = spawnSync(program, [...strict, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

/** Compiles a C source to a shared library, and returns its path. */
export const compileShared = (
  source: string,
  file: string,
  ...options: readonly string[]
): string => {
  compile('cc', '-std=gnu99', '-O1', '-shared', '-fPIC', ...options, '-o', file, source);
  return file;
};
