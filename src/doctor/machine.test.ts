import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemMachine } from './machine.ts';

it.each([
  [0o660, true],
  [0o666, true],
  // Like terminals of users: joining their group would only permit disturbing them.
  [0o620, false],
  [0o600, false],
])('names the group of a file with mode %o where joining it helps: %s', (mode, helps) => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'port');
  writeFileSync(file, '');
  chmodSync(file, mode);
  expect(systemMachine().groupOf(file)).toBe(helps ? statSync(file).gid : undefined);
});

it('names no group of a file that is not there', () => {
  expect(systemMachine().groupOf('/nowhere/port')).toBeUndefined();
});
