import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { BusbarError } from '../../src/base/errors/busbar-error.ts';
import { readDbc } from '../../src/database/dbc/read-dbc.ts';
import { arbitraryDatabase } from '../../src/database/dbc/testing/arbitrary-database.ts';
import type { Database } from '../../src/database/model.ts';
import { refuseDoubtful } from '../../src/gateway/import/import-notes.ts';
import {
  checkDatabase,
  type DatabaseCheck,
} from '../../src/gateway/import/testing/check-database.ts';
import { randomOf } from '../../src/gateway/project/validate/testing/mutations.ts';

const directions = ['rx', 'tx'] as const;

/** Results of many databases in one direction. */
interface Totals {
  databases: number;
  empty: number;
  messages: number;
  signals: number;
  omitted: number;
  refused: number;
  frames: number;
  values: number;
  rounded: number;
  differences: string[];
}

const noTotals = (): Totals => ({
  databases: 0,
  empty: 0,
  messages: 0,
  signals: 0,
  omitted: 0,
  refused: 0,
  frames: 0,
  values: 0,
  rounded: 0,
  differences: [],
});

const add = (totals: Totals, check: DatabaseCheck, name: string): void => {
  totals.databases += 1;
  if (check.messages === 0) totals.empty += 1;
  for (const key of [
    'messages',
    'signals',
    'omitted',
    'refused',
    'frames',
    'values',
    'rounded',
  ] as const) {
    totals[key] += check[key];
  }
  totals.differences.push(...check.differences.map((difference) => `${name}: ${difference}`));
};

/** Checks databases one by one; a rejected file is listed with code and message. */
class Checks {
  readonly rx = noTotals();
  readonly tx = noTotals();
  readonly unreadable: string[] = [];
  readonly failures: string[] = [];

  check(name: string, database: Database, frames: number, seed: number): void {
    for (const direction of directions) {
      try {
        add(this[direction], checkDatabase(database, direction, frames, randomOf(seed)), name);
      } catch (thrown) {
        this.failures.push(`${name} ${direction}: ${(thrown as Error).stack}`);
      }
    }
  }
}

export const checkFiles = (paths: readonly string[], frames: number): Checks => {
  const checks = new Checks();
  for (const path of paths) {
    try {
      const { database, diagnostics } = readDbc(readFileSync(path));
      refuseDoubtful(diagnostics);
      checks.check(path, database, frames, 1);
    } catch (thrown) {
      const { code, message } = BusbarError.from(thrown);
      checks.unreadable.push(`${path}: ${code}: ${message}`);
    }
  }
  return checks;
};

export const checkGenerated = (count: number, frames: number): Checks => {
  const checks = new Checks();
  fc.sample(arbitraryDatabase, { numRuns: count, seed: 22 }).forEach((database, number) => {
    checks.check(`generated ${number}`, database, frames, number);
  });
  return checks;
};
