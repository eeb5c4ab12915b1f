import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CompletionShell } from '../render-completion.ts';

/** What a shell offers at the cursor of a line. */
export interface Offer {
  /** The words as the command would get them, in order of the alphabet. */
  readonly words: readonly string[];
  /** The same as the shell lists them, with descriptions where it shows any. */
  readonly listing: readonly string[];
}

/** Where the shell runs. */
export interface ShellEnvironment {
  readonly workingDirectory: string;
  readonly home: string;
  /** Searched for programs before all others. */
  readonly programs: string;
}

/** Loads a script into the real shell and asks for completion at the cursor of each line. */
export interface ShellDriver {
  readonly shell: CompletionShell;
  offers(script: string, lines: readonly string[], place: ShellEnvironment): readonly Offer[];
}

/** Ends the answer to one line; no candidate contains it. */
export const recordEnd = '\x1e';

/** Marks the cursor in a line; without one it is at the end. Fish is asked at the end only. */
export const cursorMark = '‸';

/** The line without its mark, and how many characters are before the cursor. */
export const readCursor = (marked: string): { readonly line: string; readonly point: number } => {
  const line = marked.replace(cursorMark, '');
  return { line, point: marked.includes(cursorMark) ? marked.indexOf(cursorMark) : line.length };
};

export const isInstalled = (shell: CompletionShell): boolean =>
  spawnSync(shell, ['--version']).error === undefined;

/** Reports a missing shell; where everything has to be tested, that is a failure. */
export const reportMissingShell = (shell: CompletionShell): void => {
  it(`needs ${shell}, which the Debian package ${shell} brings`, ({ skip }) => {
    const note = `${shell} is not installed: apt-get install ${shell}`;
    if (process.env.CI === 'true') expect.fail(note);
    console.warn(note);
    skip(note);
  });
};

/** Runs work in a new directory that is gone afterwards. */
export const inTemporaryDirectory = <T>(work: (directory: string) => T): T => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-completion-'));
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** Runs a shell on a program kept in a file, and answers what it wrote; it must write no errors. */
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

/** Takes the answers apart: a candidate a line, a record a completed line. */
export const readRecords = (output: string): readonly (readonly string[])[] =>
  output
    .split(`${recordEnd}\n`)
    .slice(0, -1)
    .map((record) => record.split('\n').filter((line) => line !== ''));

/**
 * Makes the words of different shells comparable: bash answers only what follows `--option=`,
 * and each has its own way to say that an option takes a value.
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
