import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAtMost } from './read-at-most.ts';

describe('readAtMost', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-read-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const read = (size: number, limit: number): Uint8Array => {
    const path = join(directory, 'file');
    writeFileSync(
      path,
      Uint8Array.from({ length: size }, (_, i) => i),
    );
    const descriptor = openSync(path, 'r');
    try {
      return readAtMost(descriptor, limit);
    } finally {
      closeSync(descriptor);
    }
  };

  it('gives a file that fits whole', () => {
    expect([...read(3, 4)]).toEqual([0, 1, 2]);
    expect(read(4, 4)).toHaveLength(4);
    expect(read(0, 4)).toHaveLength(0);
  });

  it('gives one byte more than the limit of a longer file, and nothing beyond', () => {
    expect([...read(9, 4)]).toEqual([0, 1, 2, 3, 4]);
  });
});
