import { describe, expect, it } from 'vitest';
import { emptyImport, importBody, suggestedOutput } from './import-draft.ts';

const draft = { ...emptyImport, file: 'bus/Pump.DBC', network: ' vehicle ' };

describe('an import as it is filled in', () => {
  it('leaves out what was left empty, and writes beside the database', () => {
    expect(JSON.parse(JSON.stringify(importBody(draft)))).toEqual({
      file: 'bus/Pump.DBC',
      output: 'bus/Pump.gwproj',
      network: 'vehicle',
      direction: 'rx',
    });
  });

  it('writes into the project that it adds to, unless another file is named', () => {
    const merging = { ...draft, merge: 'car.gwproj' };
    expect(suggestedOutput(merging)).toBe('car.gwproj');
    expect(importBody({ ...merging, output: ' other.gwproj ' })).toMatchObject({
      merge: 'car.gwproj',
      output: 'other.gwproj',
    });
  });

  it('has all that the operation takes, numbers as numbers', () => {
    const whole = {
      ...draft,
      output: 'o.gwproj',
      instance: 'pump',
      direction: 'tx',
      missingCycle: 'periodic',
      defaultPeriodMs: '100',
      staleAfterMs: 'soon',
    } as const;
    expect(importBody(whole)).toEqual({
      file: 'bus/Pump.DBC',
      output: 'o.gwproj',
      network: 'vehicle',
      direction: 'tx',
      instance: 'pump',
      missing_cycle: 'periodic',
      default_period_ms: 100,
      // Refused at its field.
      stale_after_ms: 'soon',
    });
  });
});
