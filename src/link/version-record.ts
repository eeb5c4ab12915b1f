import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { product } from '../base/product.ts';

export interface SourceRecord {
  /** Commit hash, with `-dirty` for changed sources. */
  readonly commit: string | null;
  readonly committed_at_us: number | null;
}

const unknownSources: SourceRecord = { commit: null, committed_at_us: null };

export const readSources = (distribution: string): SourceRecord => {
  try {
    const text = readFileSync(join(distribution, 'build.json'), 'utf8');
    const { commit, committed_at_us }: Partial<SourceRecord> = JSON.parse(text);
    return { commit: commit ?? null, committed_at_us: committed_at_us ?? null };
  } catch {
    return unknownSources;
  }
};

export const versionRecord = ({ commit, committed_at_us }: SourceRecord) => ({
  product: product.name,
  version: product.version,
  commit,
  committed_at_us,
  contract: product.contract,
  api: product.api,
});
