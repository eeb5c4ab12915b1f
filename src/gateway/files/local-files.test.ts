import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalFiles } from './local-files.ts';

describe('LocalFiles', () => {
  let folder: string;
  const files = new LocalFiles();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-local-'));
    writeFileSync(join(folder, 'a.gwproj'), '{}');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reads a file whose size is known before', () => {
    const opened = files.open(join(folder, 'a.gwproj'), 'file');
    expect(opened.size).toBe(2);
    expect(Buffer.from(opened.read()).toString()).toBe('{}');
    opened.close();
  });

  it.each([
    ['a pipe, without waiting for what is written to it', 'pipe', 'file_unavailable'],
    ['a directory', '.', 'file_unavailable'],
    ['what is not there', 'none', 'file_not_found'],
  ])('refuses %s', (_, name, code) => {
    const open = () => files.open(join(folder, name), 'file');
    expect(open).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ field: 'file' }) }),
    );
  });
});
