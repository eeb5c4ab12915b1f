import { describe, expect, it } from 'vitest';
import { refusal } from '../base/files/testing/refusals.ts';
import { FilePattern } from './file-pattern.ts';

const names = { name: 'night', bench: 'rig 7/left' };
const unixUs = Date.UTC(2026, 10, 9, 3, 4, 5, 999) * 1000;

describe('FilePattern', () => {
  it.each([
    ['drive.asc', '', 'drive.asc'],
    ['logs/{name}_{n}.blf', 'logs/', 'night_7.blf'],
    ['{bench}/{name}-{date}-{time}.log', 'rig_7_left/', 'night-20261109-030405.log'],
    ['{n}/../x.asc'.replace('{n}/', 'a/'), 'a/../', 'x.asc'],
    ['{n}-{n}.mf4', '', '7-7.mf4'],
  ])('%s is %s and %s', (text, folder, file) => {
    const pattern = FilePattern.parse(text);
    expect(pattern.folder(names)).toBe(folder);
    expect(pattern.fileName(names, unixUs, 7)).toBe(file);
  });

  it('lets no name leave its place in the path', () => {
    const pattern = FilePattern.parse('{bench}/{name}.asc');
    expect(pattern.folder({ name: 'a', bench: '..' })).toBe('_/');
    expect(pattern.fileName({ name: '../../a\u0000b', bench: '' }, 0, 1)).toBe('.._.._a_b.asc');
  });

  it.each([
    ['{x}.asc', 'not {x}'],
    ['{}.asc', 'not {}'],
    ['{N}.asc', 'not {N}'],
    ['{date}/a.asc', 'not {date}'],
    ['{n}/a.asc', 'not {n}'],
    ['logs/', 'names a folder'],
    ['night_{n.asc', 'brace'],
    ['night_n}.asc', 'brace'],
    ['{{n}}.asc', 'brace'],
    ['{name/{n}.asc', 'brace'],
  ])('refuses %s and names the field', (text, message) => {
    expect(() => FilePattern.parse(text)).toThrow(message);
    expect(refusal(() => FilePattern.parse(text))).toEqual({
      code: 'invalid_argument',
      details: { field: 'file', reason: 'file_pattern', path: text },
    });
  });

  it.each([
    ['night_12.blf', '12'],
    ['night_3.blf.gz', '3'],
    ['night_.blf', undefined],
    ['night_1.blf.tmp', undefined],
    ['anight_1.blf', undefined],
    ['night_1xblf', undefined],
  ])('knows the number of %s', (file, number) => {
    const matcher = FilePattern.parse('logs/{name}_{n}.blf').matcher(names);
    expect(matcher.exec(file)?.groups?.n).toBe(number);
  });

  it('knows its own files whatever the time', () => {
    const pattern = FilePattern.parse('{date}.{time}[{n}].{n}.log');
    const file = pattern.fileName(names, unixUs, 41);
    expect(pattern.matcher(names).exec(file)?.groups?.n).toBe('41');
  });
});
