import { describe, expect, it } from 'vitest';
import { operations } from '../registry.ts';
import { sampleOperations } from '../testing/sample-operations.ts';
import { packCliTable, renderCliTable } from './cli-table.ts';

const table = renderCliTable(sampleOperations);

const command = (id: string) => table.commands.find((known) => known.id === id);

describe('renderCliTable', () => {
  it('holds every operation that has a command', () => {
    expect(table.commands.map(({ words }) => words.join(' '))).toEqual([
      'part list',
      'part show',
      'part move',
      'report',
      'part label',
    ]);
  });

  it('is plain data, so that a build can embed it', () => {
    const whole = renderCliTable(operations);
    expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
    expect(JSON.stringify(whole)).not.toContain('$id');
  });

  it('says where a command runs and what it needs of the daemon', () => {
    expect(command('part.move')).toMatchObject({
      summary: 'Move a part',
      place: 'bench',
      daemon: 'start',
      streaming: false,
      observes: false,
    });
  });

  it('puts positionals first, in the order they are given in', () => {
    const parameters = command('part.move')?.parameters ?? [];
    expect(
      parameters.map(({ name, option, required, positional, callerPath }) => [
        name,
        option,
        required,
        positional,
        callerPath,
      ]),
    ).toEqual([
      ['part_id', '--part-id', true, true, false],
      ['store', '--store', true, true, false],
      ['note', '--note', false, false, false],
      ['plan_file', '--plan-file', false, false, true],
    ]);
  });

  it('keeps of each schema what reading a line needs', () => {
    const schemas = Object.fromEntries(
      (command('part.list')?.parameters ?? []).map(({ name, schema }) => [name, schema]),
    );
    expect(schemas).toMatchObject({
      tag: { type: 'array', items: { type: 'string' } },
      limit: { type: 'integer', default: 10 },
      spare: { type: 'boolean' },
    });
    expect(command('part.label')?.parameters[0]?.schema.enum).toEqual(['a6', 'a7']);
  });

  it('names columns only where an operation does', () => {
    expect(command('part.list')?.columns).toEqual(['part_id', 'store']);
    expect(command('part.show')).not.toHaveProperty('columns');
  });

  it('offers the global options to every command, the project as a path of the caller', () => {
    expect(table.globals.map(({ option, callerPath }) => [option, callerPath])).toEqual([
      ['--project', true],
      ['--format', false],
    ]);
    expect(table.globals.some(({ required, positional }) => required || positional)).toBe(false);
  });
});

describe('packCliTable', () => {
  const lines = packCliTable(table)
    .split('\n')
    .map((line) => JSON.parse(line));

  it('begins with the global options and the categories, in the order they come in', () => {
    expect(lines[0]).toEqual({ globals: table.globals, categories: ['part', 'report'] });
  });

  it('goes on with a line for each category, which holds its commands as they are', () => {
    expect(lines.slice(1)).toEqual([
      table.commands.filter(({ words }) => words[0] === 'part'),
      table.commands.filter(({ words }) => words[0] === 'report'),
    ]);
  });
});
