import { describe, expect, it } from 'vitest';
import { renderCsv } from './csv.ts';

describe('renderCsv', () => {
  it('gives every value a row of path and value, however deep it lies', () => {
    const value = {
      state: 'running',
      port: 8080,
      ratio: 0.1,
      on: true,
      tasks: [{ id: 'a' }, { id: 'b', parts: [1, 2] }],
      deep: { er: { est: 'x' } },
    };
    expect(renderCsv(value)).toBe(
      [
        'path,value',
        'state,running',
        'port,8080',
        'ratio,0.1',
        'on,true',
        'tasks[0].id,a',
        'tasks[1].id,b',
        'tasks[1].parts[0],1',
        'tasks[1].parts[1],2',
        'deep.er.est,x',
        '',
      ].join('\n'),
    );
  });

  it.each<[value: unknown, cell: string]>([
    ['plain', 'plain'],
    ['with, comma', '"with, comma"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"'],
    ['carriage\rreturn', '"carriage\rreturn"'],
    [' spaces ', ' spaces '],
    // Null is an empty field; an empty text is quoted.
    [null, ''],
    ['', '""'],
    [[], '[]'],
    [{}, '{}'],
    [9_007_199_254_740_991, '9007199254740991'],
    [false, 'false'],
  ])('writes %j as the cell %j', (value, cell) => {
    expect(renderCsv({ a: value })).toBe(`path,value\na,${cell}\n`);
  });

  it('quotes a path as it quotes a value', () => {
    expect(renderCsv({ 'a,b': 1 })).toBe('path,value\n"a,b",1\n');
  });

  it.each([
    ['text', '"",text'],
    [[1], '[0],1'],
    [{}, '"",{}'],
  ])('writes %j, which is no record, too', (value, row) => {
    expect(renderCsv(value)).toBe(`path,value\n${row}\n`);
  });
});
