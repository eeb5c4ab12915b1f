import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { readDbc } from '../../database/dbc/read-dbc.ts';
import { arbitraryDatabase } from '../../database/dbc/testing/arbitrary-database.ts';
import { randomOf } from '../project/validate/testing/mutations.ts';
import { checkDatabase } from './testing/check-database.ts';

const directions = ['rx', 'tx'] as const;
const golden = join(import.meta.dirname, '../../../tests/golden');
const files = ['dbc', 'gwproj'].flatMap((folder) =>
  readdirSync(join(golden, folder))
    .filter((name) => name.endsWith('.dbc'))
    .map((name) => `${folder}/${name}`),
);
const generated = cases(25, 300);

describe('the codecs of an imported project', () => {
  it.each(files)('say of %s what signal plans say', (name) => {
    const { database } = readDbc(readFileSync(join(golden, name)));
    for (const direction of directions) {
      const { differences, ...counts } = checkDatabase(database, direction, 50, randomOf(20));
      expect(differences).toEqual([]);
      // Nothing is imported from a J1939 database, and the import reports this.
      expect(counts.values + counts.refused).toBeGreaterThan(0);
    }
  });

  it(`say of ${generated} generated databases what signal plans say`, () => {
    let compared = 0;
    fc.assert(
      fc.property(arbitraryDatabase, fc.nat(), (database, seed) => {
        for (const direction of directions) {
          const { differences, values } = checkDatabase(database, direction, 8, randomOf(seed));
          expect(differences).toEqual([]);
          compared += values;
        }
      }),
      { seed: 21, numRuns: generated },
    );
    expect(compared).toBeGreaterThan(generated);
  });
});
