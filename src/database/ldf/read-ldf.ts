import type { Diagnostic } from '../database-records.ts';
import type { TextEncoding } from '../text/encoding.ts';
import { openText } from '../text/open-text.ts';
import type { FileLimits } from '../text/problems.ts';
import { buildNetwork, type LdfDatabase } from './build/build-network.ts';
import { ldfLimits } from './limits.ts';
import { readSections } from './read/read-sections.ts';

export interface LdfContent {
  readonly database: LdfDatabase;
  readonly diagnostics: readonly Diagnostic[];
  readonly encoding: TextEncoding;
}

/**
 * Reads a LIN description file. What real files get wrong without ambiguity is reported as a
 * diagnostic; any other error rejects the file with `invalid_database`.
 */
export const readLdf = (bytes: Uint8Array, limits: Partial<FileLimits> = {}): LdfContent => {
  const { text, encoding, problems } = openText('LDF', bytes, { ...ldfLimits, ...limits });
  const database = buildNetwork(readSections(text, problems), problems);
  return { database, diagnostics: problems.list(), encoding };
};
