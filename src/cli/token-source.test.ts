import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { tokenFrom } from './web-start.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'busbar-token-'));
  path = join(folder, 'token');
});
afterEach(() => rmSync(folder, { recursive: true }));

const keep = (text: string, mode = 0o600): void => {
  writeFileSync(path, text);
  chmodSync(path, mode);
};

const refusal = (given: Parameters<typeof tokenFrom>[0], env: NodeJS.ProcessEnv = {}) => {
  try {
    tokenFrom(given, env);
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
  return expect.fail('it was taken');
};

describe('tokenFrom', () => {
  it('finds none where none is given', () => {
    expect(tokenFrom({}, {})).toBeUndefined();
  });

  it.each(['s3cret', 's3cret\n', 's3cret\r\n'])('takes the only line of a file: %j', (text) => {
    keep(text);
    expect(tokenFrom({ token_file: path }, {})).toBe('s3cret');
    keep(text, 0o440);
    expect(tokenFrom({ token_file: path }, {})).toBe('s3cret');
  });

  it('takes the option or the variable', () => {
    expect(tokenFrom({ token: 'a' }, {})).toBe('a');
    expect(tokenFrom({}, { BUSBAR_TOKEN: 'b' })).toBe('b');
  });

  it.each([
    [{ token: 'a', token_file: '/x' }, {}, 'token_file'],
    [{ token: 'a' }, { BUSBAR_TOKEN: 'b' }, 'token'],
    [{ token_file: '/x' }, { BUSBAR_TOKEN: '' }, 'token_file'],
  ])('refuses more than one: %j beside %j', (given, env, field) => {
    const { code, details } = refusal(given, env);
    expect({ code, ...details }).toEqual({ code: 'invalid_argument', field, reason: 'exclusive' });
  });

  it('refuses an empty variable, which was meant to keep strangers out', () => {
    expect(refusal({}, { BUSBAR_TOKEN: '' }).details).toEqual({ field: 'token', reason: 'empty' });
  });

  it.each([
    ['', 'empty'],
    ['\n', 'empty'],
    ['two\nlines\n', 'pattern'],
    ['open sesame', 'pattern'],
    ['gr\u00fcn', 'pattern'],
    ['x'.repeat(513), 'too_long'],
    ['x'.repeat(5000), 'too_long'],
  ])('refuses a file with %j and tells nothing of what it holds', (text, reason) => {
    keep(text);
    const error = refusal({ token_file: path });
    expect(error.details).toEqual({ field: 'token_file', reason });
    expect(error.message).toContain(path);
    if (text.trim() !== '') expect(error.message).not.toContain(text.slice(0, 4));
  });

  it.each([0o604, 0o644, 0o602])('refuses a file of mode %i, which others can get at', (mode) => {
    keep('s3cret', mode);
    const error = refusal({ token_file: path });
    expect(error.details).toEqual({ field: 'token_file', reason: 'permissions' });
    expect(error.message).toContain(path);
  });

  it('names the path where there is no such file', () => {
    expect(refusal({ token_file: path })).toMatchObject({
      code: 'file_not_found',
      message: `${path} does not exist`,
      details: { field: 'token_file', path },
    });
    mkdirSync(path, { mode: 0o700 });
    expect(refusal({ token_file: path })).toMatchObject({ code: 'file_unavailable' });
  });
});
