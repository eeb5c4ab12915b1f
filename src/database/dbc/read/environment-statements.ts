import type { DbcEnvironmentVariable } from '../specifics.ts';
import { type Cursor, colon } from './cursor.ts';
import type { Draft } from './draft.ts';
import { readNameList } from './frame-statements.ts';
import { shown } from './problems.ts';

const openBracket = 0x5b;
const closeBracket = 0x5d;
const bar = 0x7c;

const types = ['integer', 'float', 'string'] as const;
const accesses = ['unrestricted', 'read', 'write', 'read_write'] as const;

export const readVariable = (cursor: Cursor, draft: Draft): void => {
  const at = cursor.offset;
  cursor.problems.keep(at);
  const name = cursor.readName('the name of an environment variable');
  cursor.expect(colon);
  const type = types[cursor.readCount('a type of environment variable', 2)] ?? 'integer';
  cursor.expect(openBracket);
  const minimum = cursor.readDecimal('a minimum') ?? '0';
  cursor.expect(bar);
  const maximum = cursor.readDecimal('a maximum') ?? '0';
  cursor.expect(closeBracket);
  const unit = cursor.readText('a unit in quotes');
  const initial = cursor.readDecimal('an initial value') ?? '0';
  const number = cursor.readCount('the number of an environment variable', 0xffff_ffff);
  const access = readAccess(cursor, name);
  const nodes = readNameList(cursor);
  cursor.endStatement();
  draft.variables.push({
    at,
    name,
    type: access.isString ? 'string' : type,
    minimum,
    maximum,
    unit,
    initial,
    number,
    access: access.access,
    nodes,
  });
};

/** `DUMMY_NODE_VECTOR` and a digit; 8000 more marks a variable that holds text. */
const readAccess = (
  cursor: Cursor,
  variable: string,
): { access: DbcEnvironmentVariable['access']; isString: boolean } => {
  const place = cursor.offset;
  const name = cursor.readName('an access type');
  const match = /^DUMMY_NODE_VECTOR(8?)0*([0-3]?)$/.exec(name);
  if (match === null) {
    cursor.problems.warn(
      'access_unknown',
      place,
      `The access type of ${shown(variable)} is not known`,
      'taken as unrestricted',
    );
  }
  return {
    access: accesses[Number(match?.[2] ?? 0)] ?? 'unrestricted',
    isString: match?.[1] === '8',
  };
};

export const readDataSize = (cursor: Cursor, draft: Draft): void => {
  cursor.problems.keep(cursor.offset);
  const name = cursor.readName('the name of an environment variable');
  cursor.expect(colon);
  const size = cursor.readCount('a size in bytes', 0xffff_ffff);
  cursor.endStatement();
  draft.dataSizes.set(name, size);
};
