import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../operations/registry.ts';
import { renderCliTable } from '../../operations/render/cli-table.ts';
import { renderCompletion } from './render-completion.ts';
import { awkwardTable } from './testing/awkward-table.ts';
import { inTemporaryDirectory, isInstalled, reportMissingShell } from './testing/real-shell.ts';

const scripts = {
  real: renderCompletion('zsh', renderCliTable(operations)),
  awkward: renderCompletion('zsh', awkwardTable),
};

/** Output of zsh running a program in a folder with a script installed as `_busbar`. */
const run = (script: string, ...options: string[]): { stdout: string; stderr: string } =>
  inTemporaryDirectory((directory) => {
    writeFileSync(join(directory, '_busbar'), script);
    return spawnSync('zsh', options, { cwd: directory, encoding: 'utf8', timeout: 60_000 });
  });

describe('the script for zsh', () => {
  if (!isInstalled('zsh')) {
    reportMissingShell('zsh');
    return;
  }

  it.each(['real', 'awkward'] as const)('is sound syntax for the %s table', (name) => {
    expect(run(scripts[name], '-f', '-n', '_busbar').stderr).toBe('');
  });

  it('is found by name in a directory of fpath', () => {
    const program = 'fpath=($PWD $fpath); autoload -Uz compinit && compinit -D -u; ';
    const { stdout, stderr } = run(scripts.real, '-f', '-c', `${program} print $_comps[busbar]`);
    expect({ stdout, stderr }).toEqual({ stdout: '_busbar\n', stderr: '' });
  });

  it('brings the completion system up where it is sourced before that', () => {
    const program = 'source ./_busbar; print $_comps[busbar]';
    expect(run(scripts.real, '-f', '-c', program).stdout).toBe('_busbar\n');
  });
});
