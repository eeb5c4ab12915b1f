import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSources } from './version-record.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'busbar-build-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the sources of a build', () => {
  it('are those that it was written with', () => {
    const sources = { commit: 'c'.repeat(40), committed_at_us: 1_700_000_000_000_000 };
    writeFileSync(join(folder, 'build.json'), JSON.stringify(sources));
    expect(readSources(folder)).toEqual(sources);
  });

  it.each([null, '', '{', '{}', 'null'])('are unknown where the file holds %j', (content) => {
    if (content !== null) writeFileSync(join(folder, 'build.json'), content);
    expect(readSources(folder)).toEqual({ commit: null, committed_at_us: null });
  });
});
