import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { isLong } from '../base/testing/long.ts';
import { readDatabase } from './read-database.ts';
import { type HostileFile, hostileFiles } from './testing/hostile-files.ts';

const details = ({ file, make }: HostileFile): unknown => {
  const made = make();
  const bytes = typeof made === 'string' ? new TextEncoder().encode(made) : made;
  try {
    readDatabase(file, bytes);
    return null;
  } catch (thrown) {
    if (thrown instanceof BusbarError && thrown.code === 'invalid_database') return thrown.details;
    throw thrown;
  }
};

/** In a short run some files, of all kinds. */
const chosen = hostileFiles.filter((_, index) => isLong || index % 9 === 1);

describe('a file that costs as much as it can', () => {
  it.each(chosen.map((file) => [file.file, file.what, file] as const))(
    'is read, or rejected with line, column and reason: %s: %s',
    (_, __, file) => {
      const { reason } = file;
      expect(details(file)).toEqual(
        reason === null
          ? null
          : {
              line: expect.any(Number),
              column: expect.any(Number),
              reason: expect.stringMatching(reason),
            },
      );
    },
  );
});
