import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('./check.mjs', import.meta.url));
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-check-'));
  writeFileSync(join(folder, 'full.json'), JSON.stringify({ paths: { '/a': {}, '/b': {} } }));
  writeFileSync(join(folder, 'less.json'), JSON.stringify({ paths: { '/a': {} } }));
});
afterAll(() => rmSync(folder, { recursive: true }));

const check = (...files: string[]) =>
  spawnSync(process.execPath, [script, ...files.map((file) => join(folder, file))], {
    encoding: 'utf8',
  });

describe('check.mjs', () => {
  it('prints every breaking change and exits 1', () => {
    expect(check('full.json', 'less.json')).toMatchObject({
      status: 1,
      stdout: '/b: path removed\n',
    });
  });

  it('prints nothing and exits 0 when nothing breaks', () => {
    expect(check('less.json', 'full.json')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('exits 2 when a document is missing or cannot be read', () => {
    expect(check('full.json')).toMatchObject({ status: 2, stdout: '' });
    expect(check('full.json', 'lost.json')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('lost.json'),
    });
  });
});
