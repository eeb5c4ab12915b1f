import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { product } from '../base/product.ts';

/** Which sources a build was made from; null where the build did not know. */
export interface SourceRecord {
  /** Hash of the commit, followed by `-dirty` if the sources had been changed since. */
  readonly commit: string | null;
  readonly committed_at_us: number | null;
}

const unknownSources: SourceRecord = { commit: null, committed_at_us: null };

/** Sources of the build in a directory, from the file that building and packing write there. */
export const readSources = (distribution: string): SourceRecord => {
  try {
    const text = readFileSync(join(distribution, 'build.json'), 'utf8');
    const { commit, committed_at_us }: Partial<SourceRecord> = JSON.parse(text);
    return { commit: commit ?? null, committed_at_us: committed_at_us ?? null };
  } catch {
    return unknownSources;
  }
};

/** What `busbar version` prints, and `info` begins with. */
export const versionRecord = ({ commit, committed_at_us }: SourceRecord) => ({
  product: product.name,
  version: product.version,
  commit,
  committed_at_us,
  contract: product.contract,
  api: product.api,
});
