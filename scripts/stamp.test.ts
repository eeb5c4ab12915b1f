import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceRecord } from './stamp.mjs';

const repository = join(import.meta.dirname, '..');
const unknown = { commit: null, committed_at_us: null };
const seconds = 1_700_000_000;

let directory: string;
let clone: string;

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.invalid', ...args], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, GIT_COMMITTER_DATE: `${seconds} +0000` },
  }).trim();

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-sources-')));
  clone = join(directory, 'clone');
  mkdirSync(join(clone, 'scripts'), { recursive: true });
  mkdirSync(join(clone, 'src'));
  for (const file of ['.gitattributes', 'scripts/source-commit.txt']) {
    cpSync(join(repository, file), join(clone, file));
  }
  writeFileSync(join(clone, 'src', 'main.ts'), '');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Begin');
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the commit of the sources', () => {
  it('is that of the clone, with its time', async () => {
    writeFileSync(join(clone, 'notes.txt'), 'not part of a build');
    expect(await sourceRecord(clone)).toEqual({
      commit: git('rev-parse', 'HEAD'),
      committed_at_us: seconds * 1_000_000,
    });
  });

  it.each(['src/main.ts', 'src/other.ts'])('is marked where %s was changed', async (file) => {
    writeFileSync(join(clone, file), 'changed');
    const { commit } = await sourceRecord(clone);
    expect(commit).toBe(`${git('rev-parse', 'HEAD')}-dirty`);
  });

  it('is written into archives that git makes', async () => {
    const unpacked = join(directory, 'unpacked');
    mkdirSync(unpacked);
    execFileSync('sh', ['-c', 'git archive HEAD | tar -x -C "$0"', unpacked], { cwd: clone });
    expect(await sourceRecord(unpacked)).toEqual(await sourceRecord(clone));
  });

  it('is unknown in a copy without git, also inside of another clone', async () => {
    const copy = join(clone, 'vendor');
    mkdirSync(join(copy, 'scripts'), { recursive: true });
    const file = 'scripts/source-commit.txt';
    cpSync(join(clone, file), join(copy, file));
    expect(await sourceRecord(copy)).toEqual(unknown);
    cpSync(copy, join(directory, 'apart'), { recursive: true });
    expect(await sourceRecord(join(directory, 'apart'))).toEqual(unknown);
  });
});
