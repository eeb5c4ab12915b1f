import { describe, expect, it } from 'vitest';
import { emptyImport, outputOf, suggestedOutput } from './import-draft.ts';

const draft = { ...emptyImport, file: 'bus/Pump.DBC' };

describe('the project that an import writes', () => {
  it('is next to the database', () => {
    expect(suggestedOutput(emptyImport)).toBe('');
    expect(outputOf(draft)).toBe('bus/Pump.gwproj');
  });

  it('is the project that it adds to, unless another file is named', () => {
    const merging = { ...draft, merge: 'car.gwproj' };
    expect(outputOf(merging)).toBe('car.gwproj');
    expect(outputOf({ ...merging, output: ' other.gwproj ' })).toBe('other.gwproj');
  });
});
