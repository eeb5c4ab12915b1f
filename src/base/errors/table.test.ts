import { describe, expect, it } from 'vitest';
import { errorCodes, errorTable, isErrorCode } from './table.ts';

const rows = errorCodes.map((code) => ({ code, ...errorTable[code] }));

describe('the error table', () => {
  it.each(rows)('describes $code completely', (row) => {
    expect(row.code).toMatch(/^[a-z][a-z\d]*(_[a-z]+)*$/);
    expect(row.message).toMatch(/^[A-Z].*\S[^.!?\s]$/);
    expect(row.message).not.toContain('\n');
    expect(Math.floor(row.status / 100)).toBeOneOf([4, 5]);
    expect(row.exit).toBeOneOf([1, 2, 3]);
    expect(row.retryable).toBeTypeOf('boolean');
    if (row.hint !== undefined) expect(row.hint).toMatch(/^\S.*\.$/);
  });

  it('says something else for every code', () => {
    expect(new Set(rows.map(({ message }) => message)).size).toBe(rows.length);
  });

  it('names a status that HTTP knows', async () => {
    const { STATUS_CODES } = await import('node:http');
    expect(rows.filter(({ status }) => STATUS_CODES[status] === undefined)).toEqual([]);
  });

  it('keeps exit code 2 for wrong command lines, which HTTP calls a bad request', () => {
    const wrongLines = rows.filter(({ exit }) => exit === 2);
    expect(wrongLines.map(({ code }) => code)).toEqual([
      'invalid_argument',
      'invalid_channel_selector',
      'unknown_command',
    ]);
    expect(wrongLines.every(({ status }) => status === 400)).toBe(true);
  });

  it('keeps exit code 3 for a daemon that cannot be had', () => {
    const noDaemon = rows.filter(({ exit }) => exit === 3);
    expect(noDaemon.map(({ code }) => code)).toEqual([
      'daemon_unreachable',
      'daemon_start_failed',
      'version_mismatch',
    ]);
  });

  it('never promises that a defect goes away by itself', () => {
    expect(errorTable.internal_error).toMatchObject({ status: 500, retryable: false });
  });
});

describe('isErrorCode', () => {
  it('knows every code of the table', () => {
    expect(errorCodes.every(isErrorCode)).toBe(true);
  });

  it.each(['', 'nope', 'INTERNAL_ERROR', 'toString', 'constructor', '__proto__'])(
    'does not take %j for a code',
    (text) => {
      expect(isErrorCode(text)).toBe(false);
    },
  );
});
