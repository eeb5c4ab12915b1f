import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireDecimal } from '../../base/decimal/decimal.ts';
import { cases } from '../../base/testing/long.ts';
import { arbitraryDatabase } from '../../database/dbc/testing/arbitrary-database.ts';
import type { Database } from '../../database/model.ts';
import { formatOf, LinearEncoder } from '../codecs/encode-linear.ts';
import { loadProject } from '../project/load-project.ts';
import type { Project } from '../project/project.ts';
import type { LinearCodec } from '../project/tables/codecs.ts';
import { projectText } from '../project/write-project.ts';
import { finishedImport } from './testing/finished-import.ts';

/** Floats with a power of two as scale: with others hardly any integer is exact on the wire. */
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
        const project = finishedImport(database, direction)?.project;
        if (project === undefined) return;
        assertLoads(project);
        signals += project.signals.length;
      }),
      { seed: 11, numRuns: cases(20, 200) },
    );
    expect(signals).toBeGreaterThan(cases(10, 100));
  });

  it('begins with values that can be sent', () => {
    fc.assert(
      fc.property(arbitraryDatabase, (database) => {
        const project = finishedImport(withUsualFloats(database), 'tx')?.project;
        project?.signals.forEach(({ id, initial = '' }, index) => {
          const codec = project.codecs[index] as LinearCodec;
          const isFloat = codec.raw === 'float32' || codec.raw === 'float64';
          // Beyond this, the shortest text of a double is not its exact value.
          if (isFloat && Math.abs(Number(initial)) > Number.MAX_SAFE_INTEGER) return;
          const { error } = new LinearEncoder(formatOf(codec)).encode(requireDecimal(initial, id));
          expect({ id, initial, error }).toEqual({ id, initial, error: undefined });
        });
      }),
      { seed: 12, numRuns: cases(20, 200) },
    );
  });
});
