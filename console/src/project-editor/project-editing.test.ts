import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JsonSource } from '../../../src/base/json/json-source.ts';
import { parseJson } from '../../../src/base/json/parse-json.ts';
import { stringifyJson } from '../../../src/base/json/stringify-json.ts';
import type { JsonSchema } from '../../../src/base/json-schema/json-schema.ts';
import { cellKind, cellText, valueOfText } from './cell-text.ts';
import { type Draft, DraftWriter } from './draft-store.ts';
import { withMappedSignal, withMapping } from './draw-mapping.ts';
import { EditHistory } from './edit-history.ts';
import { ProblemIndex } from './problem-index.ts';
import { projectDiff } from './project-diff.ts';
import {
  idsOf,
  type ProjectDocument,
  rowsOf,
  valueAt,
  withMovedRow,
  withoutRow,
  withRow,
  withValue,
} from './project-document.ts';
import { tableSchemas, validateText } from './project-validator.ts';
import {
  columnsOf,
  copyOfRow,
  fieldsFor,
  hasField,
  newRow,
  referencesTo,
  type TableSchema,
  withField,
  withRenamedRow,
} from './row-schema.ts';

const tables = tableSchemas();
const names = tables.map(({ name }) => name);
const tableNamed = (name: string): TableSchema =>
  tables.find((table) => table.name === name) as TableSchema;
const rowOf = (name: string): JsonSchema => tableNamed(name).row;

const coolant = readFileSync(new URL('../../../examples/coolant.gwproj', import.meta.url), 'utf8');
const parsed = (text = coolant): ProjectDocument =>
  parseJson(text, { sourceAt: ['plugins', null, 'context'] }) as unknown as ProjectDocument;
const textOf = (document: ProjectDocument): string => `${stringifyJson(document, 2)}\n`;
const problemsOf = (document: ProjectDocument) => {
  const answer = validateText({ revision: 1, text: textOf(document) });
  return answer.kind === 'problems' ? answer.problems : [];
};

describe('Documents of projects', () => {
  it('are written as the service saves them', () => {
    expect(textOf(parsed())).toBe(coolant);
  });

  it('keep the spelling of plugin contexts and every digit of large numbers', () => {
    const text =
      '{"plugins":[{"id":"p","context":{"2":1.0,"1":12345678901234567890}}],"n":12345678901234567890}';
    expect(stringifyJson(parsed(text))).toBe(text);
  });

  it('share what an edit does not change', () => {
    const before = parsed();
    const after = withValue(before, ['signals', 0, 'unit'], 'K') as ProjectDocument;
    expect(valueAt(after, ['signals', 0, 'unit'])).toBe('K');
    expect(valueAt(before, ['signals', 0, 'unit'])).toBe('degC');
    expect(after.codecs).toBe(before.codecs);
    expect(rowsOf(after, 'signals')[1]).toBe(rowsOf(before, 'signals')[1]);
  });

  it('lose a field that is set to nothing, and get containers that are missing', () => {
    expect(withValue({ a: 1, b: 2 }, ['a'], undefined)).toEqual({ b: 2 });
    expect(withValue({}, ['mux', 'values', 0], '1')).toEqual({ mux: { values: ['1'] } });
    expect(withValue({ list: [1, 2] }, ['list', 0], undefined)).toEqual({ list: [2] });
  });

  it('get rows, and lose and move them', () => {
    const ids = (document: ProjectDocument) => idsOf(document, 'signals');
    const before = parsed();
    expect(ids(withRow(before, 'signals', 1, { id: 'new' }))).toEqual([
      'coolant',
      'new',
      'coolant_f',
      'pump',
    ]);
    expect(ids(withoutRow(before, 'signals', 1))).toEqual(['coolant', 'pump']);
    expect(ids(withMovedRow(before, 'signals', 0, 2))).toEqual(['coolant_f', 'pump', 'coolant']);
    expect(ids(before)).toEqual(['coolant', 'coolant_f', 'pump']);
  });
});

describe('Rows', () => {
  it('have a column for each field of all kinds, the ID first and the comment last', () => {
    for (const { name, row } of tables) {
      const columns = columnsOf(row).map((column) => column.name);
      expect([name, columns[0]]).toEqual([name, 'id']);
      expect([name, columns.at(-1)]).toEqual([name, 'comment']);
      expect(new Set(columns).size).toBe(columns.length);
    }
    const kinds = columnsOf(rowOf('codecs')).find(({ name }) => name === 'kind');
    expect(kinds?.schema.enum).toEqual(['linear', 'e2e', 'native']);
  });

  it('have the fields of their kind', () => {
    expect(hasField(rowOf('codecs'), { kind: 'linear' }, 'factor')).toBe(true);
    expect(hasField(rowOf('codecs'), { kind: 'native' }, 'factor')).toBe(false);
    const transform = rowOf('mappings').properties?.transform as JsonSchema;
    const fields = fieldsFor(transform, { kind: 'coordinate', function: 'rotate_2d' });
    expect(fields.map(({ name, isMark }) => [name, isMark])).toEqual([
      ['kind', true],
      ['function', true],
      ['angle_deg', false],
    ]);
    expect(fields[0]?.schema.enum).toContain('threshold');
    expect(fields[1]?.schema.enum).toContain('wgs84_to_enu');
  });

  it('change their kind with the fields that it requires', () => {
    const codec = { id: 'c', kind: 'linear', raw: 'unsigned', factor: 2, comment: 'kept' };
    const document = withRow(parsed(), 'plugins', 0, { id: 'lib' });
    expect(withField(document, rowOf('codecs'), codec, 'kind', 'native')).toEqual({
      id: 'c',
      kind: 'native',
      plugin: 'lib',
      comment: 'kept',
    });
  });

  it('have values of the right form when they are new', () => {
    let document = parsed();
    for (const table of tables) {
      const rows = rowsOf(document, table.name);
      document = withRow(document, table.name, rows.length, newRow(document, table));
    }
    const cross = ['missing_field', 'no_writer', 'no_binding', 'no_task'];
    const wrong = ['wrong_type', 'unknown_field', 'invalid_choice', 'duplicate_id'];
    const codes = problemsOf(document).map(({ code }) => code);
    expect(codes.filter((code) => wrong.includes(code))).toEqual([]);
    expect(codes.some((code) => cross.includes(code))).toBe(true);
  });

  it('are copied with an ID of their own', () => {
    const document = parsed();
    const [first] = rowsOf(document, 'signals');
    expect(copyOfRow(document, 'signals', first as never)).toMatchObject({
      id: 'coolant_2',
      unit: 'degC',
    });
  });

  it('are renamed together with the references to them', () => {
    const before = parsed();
    const count = referencesTo(before, tables, 'signals', 'coolant').length;
    expect(count).toBeGreaterThan(1);
    const after = withRenamedRow(before, tables, 'signals', 0, 'water');
    expect(referencesTo(after, tables, 'signals', 'coolant')).toEqual([]);
    expect(referencesTo(after, tables, 'signals', 'water')).toHaveLength(count);
    expect(problemsOf(after)).toEqual([]);
    expect(withRenamedRow(after, tables, 'signals', 0, 'coolant')).toEqual(before);
  });

  it('keep the references of another row with the same ID', () => {
    const twice = withRow(parsed(), 'signals', 3, {
      id: 'coolant',
      type: 'bool',
      producer: 'input',
    });
    const after = withRenamedRow(twice, tables, 'signals', 3, 'other');
    expect(referencesTo(after, tables, 'signals', 'coolant')).toEqual(
      referencesTo(parsed(), tables, 'signals', 'coolant'),
    );
  });
});

describe('Cells', () => {
  const fieldOf = (table: string, name: string): JsonSchema =>
    columnsOf(rowOf(table)).find((column) => column.name === name)?.schema ?? {};

  it.each([
    ['signals', 'id', 'text'],
    ['signals', 'type', 'choice'],
    ['fault_rules', 'enabled', 'choice'],
    ['bindings', 'signal', 'reference'],
    ['bindings', 'validity_bit', 'text'],
    ['bindings', 'mux', 'nested'],
    ['mappings', 'inputs', 'references'],
    ['mappings', 'transform', 'nested'],
    ['codecs', 'special', 'nested'],
    ['plugins', 'context', 'nested'],
  ])('of %s, field %s, are of kind %s', (table, name, kind) => {
    expect(cellKind(fieldOf(table, name))).toBe(kind);
  });

  it.each([
    ['signals', 'type', 'bool', 'bool'],
    ['signals', 'type', 'no such type', 'no such type'],
    ['fault_rules', 'enabled', 'true', true],
    ['fault_rules', 'enabled', '', undefined],
    ['fault_rules', 'start', '7', 7],
    ['fault_rules', 'start', 'seven', 'seven'],
    ['fault_rules', 'value', '007', '007'],
    ['codecs', 'factor', '1e-3', 0.001],
    ['codecs', 'factor', '12345678901234567890', 12345678901234567890n],
    ['bindings', 'validity_bit', '12', 12],
    ['bindings', 'validity_bit', 'plc.valid', 'plc.valid'],
    ['mappings', 'inputs', 'a, b', ['a', 'b']],
    ['mappings', 'inputs', ' ', undefined],
  ])('of %s, field %s, parse %s as %o', (table, name, text, value) => {
    expect(valueOfText(fieldOf(table, name), text)).toEqual(value);
  });

  it('show lists of names as text, and objects as JSON', () => {
    expect(cellText(['a', 'b'])).toBe('a, b');
    expect(cellText({ kind: 'identity' })).toBe('{"kind":"identity"}');
    expect(cellText(new JsonSource('{"2":1.0}'))).toBe('{"2":1.0}');
    expect(cellText(undefined)).toBe('');
  });
});

describe('The history of edits', () => {
  const [first, second, third, fourth] = [
    { id: 'a' },
    { id: 'b' },
    { id: 'c' },
    { id: 'd' },
  ] as const;

  it('goes back and forward, and says what it would revert', () => {
    let history = EditHistory.of(first).with(second, 'one').with(third, 'two');
    expect([history.undoLabel, history.redoLabel]).toEqual(['two', null]);
    history = history.undone();
    expect(history.document).toBe(second);
    expect([history.undoLabel, history.redoLabel]).toEqual(['one', 'two']);
    expect(history.undone().undone().undone().document).toBe(first);
    expect(history.redone().redone().document).toBe(third);
  });

  it('reverts the edits of one cell together until the cell is left', () => {
    const typed = EditHistory.of(first).with(second, 'cell', 'x').with(third, 'cell', 'x');
    expect(typed.undone().document).toBe(first);
    expect(typed.closed().with(fourth, 'cell', 'x').undone().document).toBe(third);
  });

  it('knows the document before the edit of a cell, while it continues', () => {
    const typed = EditHistory.of(first).with(second, 'cell', 'x').with(third, 'cell', 'x');
    expect(typed.before('x')).toBe(first);
    expect(typed.before('y')).toBe(third);
    expect(typed.closed().before('x')).toBe(third);
    expect(typed.undone().before('x')).toBe(first);
  });

  it('forgets what was undone when something else is edited', () => {
    const history = EditHistory.of(first).with(second, 'one').undone().with(third, 'two');
    expect([history.document, history.redoLabel]).toEqual([third, null]);
  });
});

describe('The difference of two projects', () => {
  it('lists added, removed, changed and moved rows, and fields of the file', () => {
    const before = parsed();
    let after = withValue(before, ['signals', 1, 'unit'], 'F') as ProjectDocument;
    after = withRow(after, 'signals', 3, { id: 'new', type: 'bool' });
    after = withoutRow(after, 'signals', 0);
    after = withValue(after, ['name'], 'Other') as ProjectDocument;
    after = withMovedRow(after, 'codecs', 0, rowsOf(after, 'codecs').length - 1);
    const shown = projectDiff(before, after, names).map(({ table, row, kind, fields }) => [
      table,
      row,
      kind,
      fields.map(({ field }) => field),
    ]);
    expect(shown).toEqual([
      [null, null, 'changed', ['name']],
      ['signals', 'coolant', 'removed', ['id', 'type', 'producer', 'initial', 'unit']],
      ['signals', 'coolant_f', 'changed', ['unit']],
      ['signals', 'new', 'added', ['id', 'type']],
      ['codecs', 'temp8', 'moved', []],
    ]);
  });

  it('is empty for equal projects, whatever the order of fields', () => {
    expect(projectDiff(parsed(), parsed(), names)).toEqual([]);
  });
});

describe('Validation', () => {
  it('finds what the service finds, at the cell', () => {
    const broken = withValue(parsed(), ['bindings', 0, 'signal'], 'nothing') as ProjectDocument;
    const [problem] = problemsOf(broken);
    expect(problem).toMatchObject({
      table: 'bindings',
      index: 0,
      field: 'signal',
      code: 'dangling_reference',
    });
    const index = new ProblemIndex(problemsOf(broken), 1);
    expect(index.at('bindings', 0, ['signal'])).toHaveLength(1);
    expect(index.at('bindings', 1, ['signal'])).toEqual([]);
    expect(index.inTable('bindings')).toBe(
      problemsOf(broken).filter(({ table }) => table === 'bindings').length,
    );
  });

  it('accepts contexts of plugins, and reports text that is not a project', () => {
    expect(validateText({ revision: 3, text: '[]' })).toMatchObject({ revision: 3, total: 1 });
    const plugin = {
      id: 'p',
      kind: 'codec',
      library: 'plugins/p.so',
      entry: 'f',
      context: new JsonSource('{"a": 1}'),
    };
    expect(
      problemsOf(withRow(parsed(), 'plugins', 0, plugin)).filter(
        ({ field }) => field === 'context',
      ),
    ).toEqual([]);
  });
});

describe('A drawn mapping', () => {
  it('connects the signals, and makes its output a derived signal', () => {
    const document = withMapping(parsed(), tableNamed('mappings'), 'coolant', 'pump');
    expect(rowsOf(document, 'mappings').at(-1)).toMatchObject({
      inputs: ['coolant'],
      outputs: ['pump'],
    });
    expect(valueAt(document, ['signals', 2, 'producer'])).toBe('derived');
    expect(valueAt(document, ['signals', 0, 'producer'])).toBe('input');
  });

  it('gets further inputs and outputs', () => {
    const before = parsed();
    const mapped = withMappedSignal(before, 0, 'input', 'pump');
    expect(valueAt(mapped, ['mappings', 0, 'inputs'])).toEqual(['coolant', 'pump']);
    expect(valueAt(mapped, ['signals', 2, 'producer'])).toBe('input');
    expect(withMappedSignal(mapped, 0, 'input', 'pump')).toBe(mapped);
    const both = withMappedSignal(mapped, 0, 'output', 'pump');
    expect(valueAt(both, ['mappings', 0, 'outputs'])).toEqual(['coolant_f', 'pump']);
    expect(valueAt(both, ['signals', 2, 'producer'])).toBe('derived');
  });
});

describe('The drafts of files', () => {
  it('are stored one at a time, the latest of each file', async () => {
    const stored: string[] = [];
    const written: string[] = [];
    let finish = (): void => undefined;
    const write = (what: string) =>
      new Promise<void>((resolve) => {
        stored.push(what);
        finish = resolve;
      });
    const writer = new DraftWriter(
      {
        get: async () => null,
        put: ({ file, text }) => write(`${file}: ${text}`),
        remove: (file) => write(`${file} removed`),
        files: async () => [],
      },
      {
        onWritten: (file) => written.push(file),
        onError: (error) => stored.push(String(error)),
      },
    );
    const put = (file: string, text: string): void =>
      writer.put(file, (): Draft => ({ file, text, base: '', savedAtMs: 0 }));
    put('a', '1');
    put('a', '2');
    put('b', '1');
    put('a', '3');
    writer.remove('b');
    for (const expected of ['a: 1', 'a: 3', 'b removed']) {
      expect(stored.at(-1)).toBe(expected);
      finish();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stored).toEqual(['a: 1', 'a: 3', 'b removed']);
    expect(written).toEqual(['a', 'a', 'b']);
    put('a', '4');
    put('a', '5');
    writer.drop('a');
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(stored.at(-1)).toBe('a: 4');
  });
});
