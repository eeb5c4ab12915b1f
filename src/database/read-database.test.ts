import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { databaseTypeOf } from './read-database.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const formatOf = (file: string, text: string): unknown => {
  try {
    return databaseTypeOf(file, bytes(text));
  } catch (thrown) {
    const { code, details } = BusbarError.from(thrown);
    return [code, details.format];
  }
};

describe('databaseTypeOf', () => {
  it.each([
    ['a.dbc', 'LIN_description_file;', 'ldf'],
    ['a.txt', '/* made by hand */\n  LIN_protocol_version = "2.1";', 'ldf'],
    ['a.ldf', 'VERSION "1"', 'dbc'],
    ['a.txt', 'BO_ 1 M: 8 A', 'dbc'],
    ['a.LDF', 'Nodes { }', 'ldf'],
    ['a.DBC', '', 'dbc'],
    ['a.txt', '', 'dbc'],
  ])('of %s with %j is %s', (file, text, type) => {
    expect(formatOf(file, text)).toBe(type);
  });

  it.each([
    ['a.xml', '<?xml version="1.0"?><AUTOSAR xmlns="x">', 'arxml'],
    ['a.dbc', '<NetworkDefinition xmlns="x">', 'kcd'],
    ['a.xml', '<CANDELA>', 'cdd'],
    ['a.xml', '<ODX MODEL-VERSION="2.2.0">', 'odx'],
    ['a.txt', 'FormatVersion=6.0', 'sym'],
    ['a.kcd', '', 'kcd'],
    ['a.sym', '', 'sym'],
    ['a.odx-d', '', 'odx'],
    ['a.pdx', 'PK', 'odx'],
  ])('rejects %s with %j as %s', (file, text, format) => {
    expect(formatOf(file, text)).toEqual(['unsupported_database', format]);
  });
});
