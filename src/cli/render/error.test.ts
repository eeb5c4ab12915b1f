import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errorTable } from '../../base/errors/table.ts';
import { renderError } from './error.ts';
import { plainPalette } from './palette.ts';

const hinted = new BusbarError('already_running', { message: 'It runs', details: { pid: 7 } });
const plain = new BusbarError('file_not_found');

describe('renderError', () => {
  it.each(['text', 'csv'] as const)('tells people code, message and hint (%s)', (format) => {
    expect(renderError(format, hinted, plainPalette)).toBe(
      `busbar: already_running: It runs\n  hint: ${errorTable.already_running.hint}\n`,
    );
  });

  it('gives no hint where there is none', () => {
    expect(renderError('text', plain, plainPalette)).toBe(
      `busbar: file_not_found: ${errorTable.file_not_found.message}\n`,
    );
  });

  it.each(['json', 'jsonl'] as const)(
    'gives programs one object with all fields (%s)',
    (format) => {
      expect(JSON.parse(renderError(format, hinted, plainPalette))).toEqual({
        error: {
          code: 'already_running',
          message: 'It runs',
          details: { pid: 7 },
          retryable: false,
          hint: errorTable.already_running.hint,
        },
      });
      expect(JSON.parse(renderError(format, plain, plainPalette)).error.hint).toBeNull();
    },
  );

  it('keeps jsonl to one line', () => {
    expect(renderError('jsonl', hinted, plainPalette)).toMatch(/^[^\n]+\n$/);
    expect(renderError('json', hinted, plainPalette)).toMatch(/^\{\n {2}"error": \{\n/);
  });
});
