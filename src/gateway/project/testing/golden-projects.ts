import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Project files of every kind: those in `valid` are valid, those in `invalid` have problems. */
export const goldenFolder = join(import.meta.dirname, '../../../../tests/golden/gateway');

export type GoldenKind = 'valid' | 'invalid';

/**
 * Names of the files with an extension, relative to the folder of a kind, without the extension.
 */
export const goldenNames = (kind: GoldenKind, ending = '.gwproj'): string[] =>
  readdirSync(join(goldenFolder, kind), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length).replaceAll(sep, '/'))
    .sort();

export const goldenBytes = (kind: GoldenKind, name: string): Uint8Array =>
  readFileSync(join(goldenFolder, kind, `${name}.gwproj`));
