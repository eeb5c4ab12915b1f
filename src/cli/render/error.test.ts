import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errorCodes, errorTable } from '../../base/errors/table.ts';
import type { CliParameter } from '../../operations/render/cli-table.ts';
import { renderError } from './error.ts';
import type { FailedCommand } from './option-names.ts';
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
    const words = { words: ['message', 'send'], parameters: [] };
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
    [{ channel: '7', selector_kind: 'slot' }, 'busbar channel list shows the open channels.'],
    [{ channel: 'a;b', selector_kind: 'name' }, 'busbar channel list shows the open channels.'],
    [{}, 'busbar channel list shows the open channels.'],
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
    const text = renderError('text', new BusbarError(code), plainPalette, {
      words: ['part', 'show'],
      parameters: [],
    });
    expect(text).not.toMatch(/[{}]/);
    expect(text).not.toContain('undefined');
  });

  const parameter = (name: string, positional = false): CliParameter => ({
    name,
    option: `--${name.replaceAll('_', '-')}`,
    schema: { type: 'string' },
    required: false,
    positional,
    callerPath: false,
  });
  const parameters = [
    parameter('channel', true),
    ...['id', 'data', 'extended', 'period', 'period_us', 'cycle', 'cycle_us'].map((name) =>
      parameter(name),
    ),
    ...['source', 'source_id', 'lin'].map((name) => parameter(name)),
  ];
  const failed = { words: ['part', 'send'], parameters };

  it.each<[message: string, details: object, given: Record<string, unknown>, shown: string]>([
    ['id has 0123', { field: 'id' }, {}, '--id has 0123'],
    ['id[2] has 0123', { field: 'id[2]' }, {}, '--id has 0123'],
    ['channel must be a text', { field: 'channel' }, {}, '<channel> must be a text'],
    [
      'A cyclic task requires period_us',
      { field: 'period_us' },
      {},
      'A cyclic task requires --period',
    ],
    [
      'period_us must be at least 100',
      { field: 'period_us' },
      { period_us: 1 },
      '--period-us must be at least 100',
    ],
    [
      'cycle says the same as cycle_us',
      { field: 'cycle' },
      { cycle: '1ms', cycle_us: 5 },
      '--cycle says the same as --cycle-us',
    ],
    ['source.id must be hex', { field: 'source.id' }, {}, '--source-id must be hex'],
    ['source.extended is odd', { field: 'source.extended' }, {}, '--extended is odd'],
    ['source.id must be hex', { field: 'source.id' }, { source: {} }, 'id of --source must be hex'],
    ['lin.role is missing', { field: 'lin.role' }, {}, 'role of --lin is missing'],
    [
      'frame replaces id, data: omit them',
      { field: 'frame', with: ['id', 'data'] },
      {},
      'frame replaces --id, --data: omit them',
    ],
    ['No frame has 9 data bytes', { field: 'data' }, {}, 'No frame has 9 data bytes'],
    ['One at a time: lin, cycle_us, id', { field: '' }, {}, 'One at a time: lin, cycle_us, id'],
    ['vehicle.dbc has no speed_kmh', { field: 'x' }, {}, 'vehicle.dbc has no speed_kmh'],
  ])('calls fields by their options: %s', (message, details, given, shown) => {
    const error = new BusbarError('invalid_argument', { message, details: { ...details } });
    const text = renderError('text', error, plainPalette, { ...failed, given });
    expect(text.split('\n')[0]).toBe(`busbar: invalid_argument: ${shown}`);
    const { error: record } = JSON.parse(
      renderError('json', error, plainPalette, { ...failed, given }),
    );
    expect(record).toMatchObject({ message: shown, details });
  });

  it('prints details that the message does not say', () => {
    const error = new BusbarError('invalid_project', {
      message: 'The project has 3 problems, first of them: a is missing',
      details: {
        field: 'file',
        maximum: 7,
        limit: 3,
        problems: [{ field: 'a', message: 'a is missing' }, { message: 'b is odd' }],
        total: 3,
      },
    });
    expect(renderError('text', error, plainPalette)).toBe(
      [
        'busbar: invalid_project: The project has 3 problems, first of them: a is missing',
        '  maximum: 7',
        '  - b is odd',
        '  - and 1 more',
        '',
      ].join('\n'),
    );
  });

  it('prints who holds an output', () => {
    const owner = { instance: 'rig', task: null };
    const conflicts = [{ task: 'Speed', owner, channel: 'body', can_id: 0x123 }];
    const error = new BusbarError('output_conflict', { details: { conflicts } });
    expect(renderError('text', error, plainPalette)).toContain(
      '\n  - task Speed, owner instance rig, channel body, can id 123\n  hint: Stop ',
    );
  });

  it('lists nothing where the message speaks of the only entry, or the user gave the value', () => {
    const error = new BusbarError('output_conflict', {
      message: 'rig sends it already',
      details: { instance: 'rival', conflicts: [{ task: 'Speed' }], total: 1 },
    });
    const given = { ...failed, given: { instance: 'rival' } };
    expect(renderError('text', error, plainPalette, given).split('\n')).toHaveLength(3);
  });

  it('keeps quiet about details that the message has', () => {
    const error = new BusbarError('capacity_exceeded', {
      message: 'At most 64 routes can exist',
      details: { limit: 64, channel: 'tester' },
    });
    expect(renderError('text', error, plainPalette).split('\n')).toHaveLength(2);
  });

  it('marks the place in a text that is wrong, of long texts with a part around it', () => {
    const details = { field: 'when', offset: 6, expected: 'an identifier' };
    const linesOf = (offset: number, when: string): string[] => {
      const error = new BusbarError('invalid_argument', { details: { ...details, offset } });
      return renderError('text', error, plainPalette, { ...failed, given: { when } }).split('\n');
    };
    expect(linesOf(6, 'frame\t12G or\u001b[31m error').slice(1, 3)).toEqual([
      '  frame 12G or [31m error',
      '        ^',
    ]);
    const [, text = '', mark = ''] = linesOf(
      204,
      `${'error or '.repeat(22)}frame 12G${' '.repeat(100)}`,
    );
    expect(text).toMatch(/^ {2}….{30}frame 12G +…$/);
    expect(text[mark.indexOf('^')]).toBe('1');
    expect(linesOf(5, 'error').slice(1, 3)).toEqual(['  error', '       ^']);
    const elsewhere = new BusbarError('invalid_argument', { details });
    expect(renderError('text', elsewhere, plainPalette, failed)).not.toContain('^');
    const inFile = new BusbarError('invalid_argument', {
      details: { ...details, field: 'file', path: '/bench/bus.checks.json' },
    });
    const command = { ...failed, given: { file: 'bus.checks.json' } };
    expect(renderError('text', inFile, plainPalette, command)).not.toContain('^');
  });

  it('prints no control characters that a file contains', () => {
    const error = new BusbarError('invalid_argument', {
      message: 'a.json: found \u001b]0;x\u0007\r\n\u009b2J\u202e',
      details: { problems: [{ message: 'one \u001b[2J' }, { message: 'two\b' }] },
      hint: 'Try \u001b[8m.',
    });
    const text = renderError('text', error, plainPalette);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(text.split('\n')).toHaveLength(5);
  });

  it('names both options where one of two is required', () => {
    const parameters = ['trace', 'for'].map((name) => ({ name, option: `--${name}` }));
    const error = new BusbarError('invalid_argument', {
      message: 'trace or for is required',
      details: { field: 'trace', with: ['for'] },
    });
    const command = { words: ['check', 'run'], parameters } as unknown as FailedCommand;
    expect(renderError('text', error, plainPalette, command)).toContain(
      ': --trace or --for is required\n',
    );
  });

  it('marks the place in one of several texts, and in a part of an argument', () => {
    const command = {
      words: ['check', 'run'],
      parameters: [
        { name: 'check', option: '--check', positional: false },
        { name: 'trigger', option: '--trigger', positional: false },
      ] as unknown as FailedCommand['parameters'],
      given: { check: ['never gap', 'never 123'], trigger: { start: 'errors' } },
    };
    const linesOf = (field: string, offset: number): string[] => {
      const error = new BusbarError('invalid_argument', {
        message: `${field}: expected a term`,
        details: { field, offset, expected: 'a term' },
      });
      return renderError('text', error, plainPalette, command).split('\n').slice(0, 3);
    };
    expect(linesOf('check[1]', 6)).toEqual([
      'busbar: invalid_argument: --check: expected a term',
      '  never 123',
      '        ^',
    ]);
    expect(linesOf('trigger.start', 0)).toEqual([
      'busbar: invalid_argument: start of --trigger: expected a term',
      '  errors',
      '  ^',
    ]);
  });

  it.each(errorCodes)('has no hint for %s that sends readers to details', (code) => {
    expect(errorTable[code].hint ?? '').not.toMatch(/details/);
  });
});
