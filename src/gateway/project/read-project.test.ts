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

  it.each([
    ['an unknown field', 'signals.0.colour', 1, 'colour', 'unknown_field'],
    ['a missing field', 'signals.1.type', undefined, 'type', 'missing_field'],
    ['an unknown kind', 'codecs.2.kind', 'cubic', 'kind', 'invalid_choice'],
    ['a missing kind', 'codecs.2.kind', undefined, 'kind', 'missing_field'],
    ['a role that is none', 'endpoints.1.role', 'slave', 'role', 'invalid_choice'],
    ['a field of the other role', 'endpoints.1.timeout_ms', 5, 'timeout_ms', 'unknown_field'],
    ['a number for a value', 'signals.0.initial', 20, 'initial', 'wrong_type'],
    ['a value with a comma', 'signals.0.initial', '1,5', 'initial', 'invalid_text'],
    ['a text for a parameter', 'mappings.0.transform.k', '1.8', 'transform.k', 'wrong_type'],
    ['a fraction for a count', 'messages.0.length', 7.5, 'length', 'wrong_type'],
    ['an identifier too large', 'messages.1.can_id', 0x2000_0000, 'can_id', 'out_of_range'],
    ['a bit too far', 'modbus_resources.0.bit_offset', 16, 'bit_offset', 'out_of_range'],
    ['an id with a space', 'tx_tasks.0.id', 'Pump Command', 'id', 'invalid_text'],
    ['an empty id', 'tx_tasks.0.id', '', 'id', 'out_of_range'],
    ['an id given twice', 'bindings.3.id', 'coolant.rx', 'id', 'duplicate_id'],
    [
      'a state that is none',
      'codecs.0.special.0.state',
      'odd',
      'special[0].state',
      'invalid_choice',
    ],
    ['no inputs', 'mappings.0.inputs', [], 'inputs', 'out_of_range'],
    ['a row that is none', 'messages.0', 5, '', 'wrong_type'],
    ['a flag for a validity bit', 'bindings.0.validity_bit', true, 'validity_bit', 'wrong_type'],
  ])('names %s', (_, path, value, field, code) => {
    const project = coolantProject();
    put(project, path, value);
    const [table, index] = path.split('.');
    const [problem, ...others] = readLoose(project).problems.shown;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ table, index: Number(index), field, code });
    expect(problem?.message).toContain(`: ${field || 'the row'} `);
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

  it.each([
    ['text behind the end', '{"format":"gwproj","schema_version":1} {}', 'invalid_json', ''],
    ['a broken text', '{"format":', 'invalid_json', 'format'],
    ['a list', '[]', 'wrong_type', ''],
  ])('refuses %s', (_, text, code, field) => {
    expect(readText(text).problems.shown).toMatchObject([{ table: null, field, code }]);
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
