import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { repository } from '../support/workbench.ts';

const node = (...args: string[]): string =>
  execFileSync(process.execPath, args, { encoding: 'utf8', env: {} });

describe('the CLI as it is built', () => {
  let copy: string;
  let code: string;

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'busbar-built-'));
    code = join(copy, 'code', 'cli.code');
    for (const folder of ['bin', 'dist', 'code']) {
      mkdirSync(join(copy, folder));
      for (const name of readdirSync(join(repository, folder))) {
        if (folder !== 'bin' && !name.startsWith('cli')) continue;
        copyFileSync(join(repository, folder, name), join(copy, folder, name));
      }
    }
  });

  afterEach(() => rmSync(copy, { recursive: true }));

  const version = (file = join(copy, 'bin', 'busbar')): unknown =>
    JSON.parse(node(file, 'version', '--format=json'));

  it('has code that this Node takes', () => {
    const source = JSON.stringify(join(copy, 'dist', 'cli.cjs'));
    const rejected = node(
      '-p',
      `const { readFileSync } = require('node:fs');
      const cachedData = readFileSync(${JSON.stringify(code)});
      new vm.Script(readFileSync(${source}, 'utf8'), { cachedData }).cachedDataRejected`,
    );
    expect(rejected).toBe('false\n');
  });

  const doesWithout = (_: string, spoil: (bytes: Buffer) => Buffer): void => {
    const whole = version();
    writeFileSync(code, spoil(readFileSync(code)));
    expect(version()).toEqual(whole);
  };

  it.each([['of another version of V8', (bytes: Buffer) => bytes.fill(0, 4, 8)]])(
    'does without code %s',
    doesWithout,
  );
  itLong.each([
    ['that is spoilt', (bytes: Buffer) => bytes.fill(0xff)],
    ['that is cut off', (bytes: Buffer) => bytes.subarray(0, 100)],
    ['that is empty', () => Buffer.alloc(0)],
  ])('does without code %s', doesWithout);

  it('does without code where there is none', () => {
    const whole = version();
    rmSync(code);
    expect(version()).toEqual(whole);
    rmSync(join(copy, 'code'), { recursive: true });
    expect(version()).toEqual(whole);
  });

  it('finds its files when it is called by another name', () => {
    const link = join(copy, 'linked');
    symlinkSync(join(copy, 'bin', 'busbar'), link);
    expect(version(link)).toMatchObject({ product: 'Busbar' });
  });
});
