import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CompletionShell } from '../render-completion.ts';

/** Candidates of a shell at the cursor of a line. */
export interface Candidate {
  /** The words as the command would receive them, in alphabetical order. */
  readonly words: readonly string[];
  /** The words as the shell lists them, with descriptions if it shows any. */
  readonly listing: readonly string[];
}

/** The working directory of the shell. */
export interface ShellEnvironment {
  readonly workingDirectory: string;
  readonly home: string;
  /** Directory added in front of PATH. */
  readonly programs: string;
}

/** Loads a script into the real shell and requests completion at the cursor of each line. */
export interface ShellDriver {
  readonly shell: CompletionShell;
  offers(script: string, lines: readonly string[], place: ShellEnvironment): readonly Candidate[];
}

/** Ends the response for one line; no candidate contains it. */
export const recordEnd = '\x1e';

/** Marks the cursor in a line; the default is the end. Fish completes only at the end. */
export const cursorMark = '‸';

/** The line without its mark, and how many characters are before the cursor. */
export const readCursor = (marked: string): { readonly line: string; readonly point: number } => {
  const line = marked.replace(cursorMark, '');
  return { line, point: marked.includes(cursorMark) ? marked.indexOf(cursorMark) : line.length };
};

export const isInstalled = (shell: CompletionShell): boolean =>
  spawnSync(shell, ['--version']).error === undefined;

/** Reports a missing shell, as a failure if all shells must be tested. */
export const reportMissingShell = (shell: CompletionShell): void => {
  it(`needs ${shell}, which the Debian package ${shell} brings`, ({ skip }) => {
    const note = `${shell} is not installed: apt-get install ${shell}`;
    if (process.env.CI === 'true') expect.fail(note);
    console.warn(note);
    skip(note);
  });
};

/** Runs an action in a temporary directory. */
export const inTemporaryDirectory = <T>(work: (directory: string) => T): T => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-completion-'));
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** Runs a shell with a program from a file, and returns its output; it must write no errors. */
export const runShell = (
  command: readonly [string, ...string[]],
  files: Readonly<Record<string, string>>,
  options: ShellEnvironment & { files: string; env?: NodeJS.ProcessEnv },
): string => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(options.files, name), text);
  const [program, ...rest] = command;
  const { stdout, stderr, error } = spawnSync(program, rest, {
    cwd: options.workingDirectory,
    env: {
      PATH: `${options.programs}:${process.env.PATH}`,
      HOME: options.home,
      LC_ALL: 'C.UTF-8',
      ...options.env,
    },
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(error).toBeUndefined();
  expect(stderr).toBe('');
  return stdout;
};

/** Splits the responses: one candidate per line, one record per completed line. */
export const readRecords = (output: string): readonly (readonly string[])[] =>
  output
    .split(`${recordEnd}\n`)
    .slice(0, -1)
    .map((record) => record.split('\n').filter((line) => line !== ''));

/**
 * Normalizes the words of different shells: bash returns only what follows `--option=`, and each
 * marks options with values in its own way.
 */
export const normalized = (line: string, words: readonly string[]): readonly string[] => {
  const current =
    line
      .split(cursorMark, 1)[0]
      ?.split(/(?<!\\) /)
      .at(-1) ?? '';
  const lead = /^--[^=]*=/.exec(current)?.[0] ?? '';
  return words
    .map((word) => (lead !== '' && word.startsWith(lead) ? word.slice(lead.length) : word))
    .map((word) => (/^--[^=]*= ?$/.test(word) ? word.slice(0, word.indexOf('=')) : word))
    .map((word) => (word.length > 1 ? word.replace(/\/$/, '') : word))
    .sort();
};
