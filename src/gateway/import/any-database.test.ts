import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireDecimal } from '../../base/decimal/decimal.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { arbitraryDatabase } from '../../database/dbc/testing/arbitrary-database.ts';
import type { Database } from '../../database/model.ts';
import { LinearEncoder, wireFormatOf } from '../codecs/encode-linear.ts';
import { loadProject } from '../project/load-project.ts';
import type { Project } from '../project/project.ts';
import type { LinearCodec } from '../project/tables/codecs.ts';
import type { Direction } from '../project/tables/messages.ts';
import { projectText } from '../project/write-project.ts';
import { importDbc } from './import-dbc.ts';
import type { ImportNote } from './import-notes.ts';

const imported = (database: Database, direction: Direction): Project =>
  importDbc(database, {
    network: 'net',
    direction,
    file: 'any.dbc',
    sha256: '0'.repeat(64),
    missingCycle: 'on_change',
    staleAfterMs: 0,
  }).project;

/** The database without what a refusal names. */
const without = (database: Database, notes: readonly ImportNote[]): Database => ({
  ...database,
  messages: database.messages
    .filter(({ name }) => !notes.some((note) => note.message === name && note.signal === null))
    .map((message) => {
      const named = new Set(
        notes.filter((note) => note.message === message.name).map(({ signal }) => signal),
      );
      const isKept = ({ name, multiplexing }: (typeof message.signals)[number]): boolean =>
        !named.has(name) && !named.has(multiplexing?.switch ?? null);
      return { ...message, signals: message.signals.filter(isKept) };
    }),
});

/** Imports what is left after everything that is refused has been taken away. */
const importedInTheEnd = (database: Database, direction: Direction): Project | null => {
  for (let rest = database; ; ) {
    try {
      return imported(rest, direction);
    } catch (thrown) {
      const { code, details } = BusbarError.from(thrown);
      expect(code).toBe('invalid_database');
      const less = without(rest, details.problems as ImportNote[]);
      const sizeOf = ({ messages }: Database): number =>
        messages.reduce((sum, { signals }) => sum + 1 + signals.length, 0);
      if (sizeOf(less) === 0) return null;
      expect(sizeOf(less)).toBeLessThan(sizeOf(rest));
      rest = less;
    }
  }
};

/** Floats whose scale is a power of two: with others hardly a whole value is exact on the wire. */
const withUsualFloats = (database: Database): Database => ({
  ...database,
  messages: database.messages.map((message) => ({
    ...message,
    signals: message.signals.map((signal) =>
      signal.kind === 'float32' || signal.kind === 'float64'
        ? { ...signal, factor: '0.5', offset: '0' }
        : signal,
    ),
  })),
});

const assertLoads = (project: Project): void => {
  const text = [...projectText(project)].join('');
  expect(loadProject(new TextEncoder().encode(text))).toEqual(project);
};

describe('the import of any database', () => {
  it('gives a valid project, or names what stands in the way of one', () => {
    let signals = 0;
    fc.assert(
      fc.property(arbitraryDatabase, fc.constantFrom('rx', 'tx'), (database, direction) => {
        const project = importedInTheEnd(database, direction);
        if (project === null) return;
        assertLoads(project);
        signals += project.signals.length;
      }),
      { seed: 11, numRuns: 200 },
    );
    expect(signals).toBeGreaterThan(100);
  });

  it('begins with values that can be sent', () => {
    fc.assert(
      fc.property(arbitraryDatabase, (database) => {
        const project = importedInTheEnd(withUsualFloats(database), 'tx');
        project?.signals.forEach(({ id, initial = '' }, index) => {
          const codec = project.codecs[index] as LinearCodec;
          const isFloat = codec.raw === 'float32' || codec.raw === 'float64';
          // Beyond, the shortest text of a double is not the number that it is.
          if (isFloat && Math.abs(Number(initial)) > Number.MAX_SAFE_INTEGER) return;
          const { error } = new LinearEncoder(wireFormatOf(codec)).encode(
            requireDecimal(initial, id),
          );
          expect({ id, initial, error }).toEqual({ id, initial, error: undefined });
        });
      }),
      { seed: 12, numRuns: 200 },
    );
  });
});
