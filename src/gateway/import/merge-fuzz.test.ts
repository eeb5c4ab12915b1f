import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { cases } from '../../base/testing/long.ts';
import type { ProjectFiles } from '../files/project-files.ts';
import { loadProject } from '../project/load-project.ts';
import { fuzzed } from '../project/testing/fuzz-bytes.ts';
import { goldenBytes, goldenNames } from '../project/testing/golden-projects.ts';
import { randomOf } from '../project/validate/testing/mutations.ts';
import { importProject } from './import-project.ts';

const rounds = cases(30, 600);
const golden = join(import.meta.dirname, '../../../tests/golden/gwproj');
const pump = readFileSync(join(golden, 'pump.dbc'));

/** Files in memory that count open ones. */
class MemoryFiles implements ProjectFiles {
  readonly contents = new Map<string, Uint8Array>();
  opened = 0;

  open(path: string) {
    const bytes = this.contents.get(path) ?? new Uint8Array();
    this.opened += 1;
    return {
      size: bytes.length,
      version: { dev: 0n, ino: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n },
      read: () => bytes,
      close: () => {
        this.opened -= 1;
      },
    };
  }

  replace(path: string, pieces: Iterable<Uint8Array>): string {
    this.contents.set(path, Buffer.concat([...pieces]));
    return path;
  }

  follow(path: string): string {
    return path;
  }

  openDirectoryOf(): number {
    return -1;
  }
}

describe('importProject', () => {
  it(`merges ${rounds} fuzzed files or leaves them as they are`, () => {
    const random = randomOf(17);
    const names = goldenNames('valid');
    const outcomes = new Map<string, number>();
    const documentOf = (number: number): Uint8Array =>
      goldenBytes('valid', names[number % names.length] as string);
    for (let round = 0; round < rounds; round += 1) {
      const files = new MemoryFiles();
      const document = documentOf(round);
      const merged = random(8) === 0 ? document : fuzzed(document, documentOf(random(60)), random);
      files.contents.set('pump.dbc', pump);
      files.contents.set('own.gwproj', merged);
      let outcome = 'merged';
      try {
        importProject(files, {
          file: 'pump.dbc',
          output: 'own.gwproj',
          overwrite: true,
          merge: 'own.gwproj',
          network: 'powertrain',
          direction: random(2) === 0 ? 'rx' : 'tx',
          missing_cycle: 'on_change',
          stale_after_ms: 0,
        });
        loadProject(files.contents.get('own.gwproj') as Uint8Array);
      } catch (thrown) {
        if (!(thrown instanceof BusbarError)) throw thrown;
        outcome = thrown.code;
        expect(files.contents.get('own.gwproj')).toBe(merged);
      }
      expect([files.opened, files.contents.size]).toEqual([0, 2]);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(outcomes.get('merged')).toBeGreaterThan(rounds / 20);
    outcomes.delete('merged');
    expect([...outcomes.keys()].sort()).toEqual(['invalid_project']);
  });
});
