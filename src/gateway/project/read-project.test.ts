import { describe, expect, it } from 'vitest';
import { coolantProject } from './testing/coolant-project.ts';
import { put, readLoose, readText } from './testing/read-text.ts';

describe('readProject', () => {
  it('reads a project, and fills defaults in', () => {
    const draft = readLoose(coolantProject());
    expect(draft.problems.shown).toEqual([]);
    const project = draft.toProject();
    expect(project.header).toMatchObject({ format: 'gwproj', id: 'coolant', provenance: [] });
    expect(project.messages[0]).toMatchObject({ extended: false, fd: false, fill: 0 });
    expect(project.codecs[0]).toMatchObject({ factor: 1, offset: -40 });
    expect(project.fault_rules).toEqual([]);
  });

  it('reports everything at once', () => {
    const project = coolantProject();
    put(project, 'format', 'other');
    put(project, 'schema_version', 2);
    put(project, 'tables', []);
    put(project, 'signals.0.type', 'int32');
    put(project, 'signals.0.producer', 'luck');
    put(project, 'mappings', {});
    const { shown } = readLoose(project).problems;
    expect(shown.map(({ table, field, code }) => [table, field, code])).toEqual([
      ['signals', 'type', 'invalid_choice'],
      ['signals', 'producer', 'invalid_choice'],
      [null, 'mappings', 'wrong_type'],
      [null, 'tables', 'unknown_field'],
      [null, 'format', 'invalid_choice'],
      [null, 'schema_version', 'out_of_range'],
    ]);
  });

  it('knows the ids of rows that have problems', () => {
    const project = coolantProject();
    project.signals[0].type = 'int32';
    const { signals } = readLoose(project).tables;
    expect(signals.has('coolant')).toBe(true);
    expect(signals.get('coolant')).toBeUndefined();
    expect(signals.placeAt(0)).toBe(1);
  });

  it('tells ids that are too long apart, and shows their beginnings', () => {
    const project = coolantProject();
    const long = 'x'.repeat(512);
    const row = { type: 'bool', producer: 'software' };
    project.signals.push({ id: `${long}a`, ...row }, { id: `${long}b`, ...row });
    const { shown } = readLoose(project).problems;
    expect(shown.map(({ row, code }) => [row, code])).toEqual([
      [long, 'out_of_range'],
      [long, 'out_of_range'],
    ]);
  });

  it('names keys that are given twice, however they are escaped, and goes on', () => {
    const draft = readText(
      '{"format":"gwproj","schema_version":1,"n\\u0061me":"a","name":"b",' +
        '"signals":[{"id":"s","type":"bool","producer":"input","t\\u0079pe":"int64","x":1}]}',
    );
    expect(draft.problems.shown).toMatchObject([
      { table: 'signals', row: 's', index: 0, field: 'x', code: 'unknown_field' },
      { table: null, field: 'name', code: 'duplicate_key' },
      { table: 'signals', row: 's', index: 0, field: 'type', code: 'duplicate_key' },
    ]);
  });

  it('takes integers as parameters only if a double holds them', () => {
    const withFactor = (literal: string) => {
      const text = JSON.stringify(coolantProject()).replace('"factor":0.1', `"factor":${literal}`);
      return readText(text).problems.shown.map(({ field, code }) => [field, code]);
    };
    expect(withFactor('9007199254740993')).toEqual([['factor', 'inexact']]);
    expect(withFactor('9007199254740992')).toEqual([]);
    expect(withFactor('1152921504606846976')).toEqual([]);
  });

  it('counts more problems than it shows', () => {
    const project = coolantProject();
    project.pdus = Array.from({ length: 300 }, (_, index) => ({ id: `p${index}` }));
    const { problems } = readLoose(project);
    expect([problems.shown.length, problems.total]).toEqual([200, 900]);
    const keys = Array.from({ length: 500 }, () => '"x":1').join(',');
    expect(readText(`{"format":"gwproj","schema_version":1,${keys}}`).problems.total).toBe(500);
  });
});
