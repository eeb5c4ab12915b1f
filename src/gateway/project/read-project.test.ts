import { describe, expect, it } from 'vitest';
import { coolantProject, type LooseProject, readLoose, readText } from './testing/read-text.ts';

const problemsOf = (change: (project: LooseProject) => void) => {
  const project = coolantProject();
  change(project);
  return readLoose(project).problems.shown;
};

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
    [
      'an unknown field',
      'signals',
      0,
      'colour',
      'unknown_field',
      (p: LooseProject) => (p.signals[0].colour = 1),
    ],
    [
      'a missing field',
      'signals',
      1,
      'type',
      'missing_field',
      (p: LooseProject) => delete p.signals[1].type,
    ],
    [
      'an unknown kind',
      'codecs',
      2,
      'kind',
      'invalid_choice',
      (p: LooseProject) => (p.codecs[2].kind = 'cubic'),
    ],
    [
      'a missing kind',
      'codecs',
      2,
      'kind',
      'missing_field',
      (p: LooseProject) => delete p.codecs[2].kind,
    ],
    [
      'a role that is none',
      'endpoints',
      1,
      'role',
      'invalid_choice',
      (p: LooseProject) => (p.endpoints[1].role = 'slave'),
    ],
    [
      'a field of the other role',
      'endpoints',
      1,
      'timeout_ms',
      'unknown_field',
      (p: LooseProject) => (p.endpoints[1].timeout_ms = 5),
    ],
    [
      'a number for a value',
      'signals',
      0,
      'initial',
      'wrong_type',
      (p: LooseProject) => (p.signals[0].initial = 20),
    ],
    [
      'a value with a comma',
      'signals',
      0,
      'initial',
      'invalid_text',
      (p: LooseProject) => (p.signals[0].initial = '1,5'),
    ],
    [
      'a text for a parameter',
      'mappings',
      0,
      'transform.k',
      'wrong_type',
      (p: LooseProject) => (p.mappings[0].transform.k = '1.8'),
    ],
    [
      'a fraction for a count',
      'messages',
      0,
      'length',
      'wrong_type',
      (p: LooseProject) => (p.messages[0].length = 7.5),
    ],
    [
      'an identifier too large',
      'messages',
      1,
      'can_id',
      'out_of_range',
      (p: LooseProject) => (p.messages[1].can_id = 0x2000_0000),
    ],
    [
      'a bit too far',
      'modbus_resources',
      0,
      'bit_offset',
      'out_of_range',
      (p: LooseProject) => (p.modbus_resources[0].bit_offset = 16),
    ],
    [
      'an id with a space',
      'tx_tasks',
      0,
      'id',
      'invalid_text',
      (p: LooseProject) => (p.tx_tasks[0].id = 'Pump Command'),
    ],
    [
      'an empty id',
      'tx_tasks',
      0,
      'id',
      'out_of_range',
      (p: LooseProject) => (p.tx_tasks[0].id = ''),
    ],
    [
      'an id given twice',
      'bindings',
      3,
      'id',
      'duplicate_id',
      (p: LooseProject) => (p.bindings[3].id = p.bindings[0].id),
    ],
    [
      'a state of a special raw',
      'codecs',
      0,
      'special[0].state',
      'invalid_choice',
      (p: LooseProject) => (p.codecs[0].special[0].state = 'odd'),
    ],
    [
      'no inputs',
      'mappings',
      0,
      'inputs',
      'out_of_range',
      (p: LooseProject) => (p.mappings[0].inputs = []),
    ],
    ['a row that is none', 'pdus', 0, '', 'wrong_type', (p: LooseProject) => (p.pdus = [5])],
    [
      'a validity bit that is a flag',
      'bindings',
      0,
      'validity_bit',
      'wrong_type',
      (p: LooseProject) => (p.bindings[0].validity_bit = true),
    ],
  ] as const)('names %s', (_, table, index, field, code, change) => {
    const [problem, ...others] = problemsOf(change);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ table, index, field, code });
    expect(problem?.message).toMatch(field === '' ? /the row/ : field);
  });

  it('reports everything at once', () => {
    const problems = problemsOf((project) => {
      project.format = 'other';
      project.schema_version = 2;
      project.tables = [];
      project.signals[0].type = 'int32';
      project.signals[0].producer = 'luck';
      project.mappings = {};
    });
    expect(problems.map(({ table, field, code }) => [table, field, code])).toEqual([
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
