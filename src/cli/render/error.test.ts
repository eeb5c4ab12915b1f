import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errorCodes, errorTable } from '../../base/errors/table.ts';
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

  it('fills in the command that failed', () => {
    const wrong = new BusbarError('invalid_argument');
    const words = ['message', 'send'];
    const hint = 'busbar help message send lists every parameter with its range.';
    expect(renderError('text', wrong, plainPalette, words)).toContain(`\n  hint: ${hint}\n`);
    expect(JSON.parse(renderError('json', wrong, plainPalette, words)).error.hint).toBe(hint);
    expect(renderError('text', wrong, plainPalette)).toContain(
      'hint: busbar help lists all commands.',
    );
  });

  it.each([
    [
      { channel: 'powertrain', selector_kind: 'network' },
      'busbar channel open powertrain opens it.',
    ],
    [{ channel: '7', selector_kind: 'slot' }, 'busbar channel list shows those that are open.'],
    [{ channel: 'a;b', selector_kind: 'name' }, 'busbar channel list shows those that are open.'],
    [{}, 'busbar channel list shows those that are open.'],
  ])('fills in names that can be typed as they are: %j', (details, hint) => {
    const notOpen = new BusbarError('channel_not_open', { details });
    expect(renderError('text', notOpen, plainPalette)).toContain(`  hint: ${hint}\n`);
  });

  it('prefers what is known of this occurrence', () => {
    const gone = new BusbarError('daemon_unreachable', { hint: 'busbar daemon start starts one.' });
    expect(renderError('text', gone, plainPalette)).toContain(
      'hint: busbar daemon start starts one.',
    );
  });

  it.each(errorCodes)('leaves no placeholder in the hint for %s', (code) => {
    const text = renderError('text', new BusbarError(code), plainPalette, ['part', 'show']);
    expect(text).not.toMatch(/[{}]/);
    expect(text).not.toContain('undefined');
  });
});
