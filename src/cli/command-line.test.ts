import { describe, expect, it } from 'vitest';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import { linSimulate } from '../operations/lin.ts';
import { help } from '../operations/registry.ts';
import {
  type CliParameter,
  type CliTable,
  packCliTable,
  renderCliTable,
} from '../operations/render/cli-table.ts';
import { partAdjust, sampleOperations } from '../operations/testing/sample-operations.ts';
import { version } from '../operations/version.ts';
import { CommandLineReader } from './command-line.ts';
import { CommandTable } from './command-table.ts';

const readerOf = (table: CliTable, workingDirectory: string) =>
  new CommandLineReader(new CommandTable(packCliTable(table)), workingDirectory);

const reader = readerOf(
  renderCliTable([help, version, ...sampleOperations, partAdjust]),
  '/home/bench',
);

/** The line as text, split at spaces; an array where an argument contains one. */
type Line = string | readonly string[];

const argvOf = (line: Line): readonly string[] =>
  typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;

const read = (line: Line) => {
  const { command, arguments: values, globals } = reader.read(argvOf(line));
  return { id: command.id, values, globals };
};

const refusalOf = (line: Line): ErrorRecord => {
  try {
    reader.read(argvOf(line));
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown.toRecord();
    throw thrown;
  }
  throw new Error(`${String(line)} was understood`);
};

describe('a list in one word', () => {
  const own = readerOf(renderCliTable([linSimulate]), '/home/bench');
  const nodesOf = (line: string) => own.read(argvOf(line)).arguments.nodes;

  it('has its items between commas, in one option or several', () => {
    expect(nodesOf('lin simulate door --nodes=A,B')).toEqual(['A', 'B']);
    expect(nodesOf('lin simulate door --nodes A,B --nodes=C')).toEqual(['A', 'B', 'C']);
  });

  it('has no empty item', () => {
    expect(() => nodesOf('lin simulate door --nodes=A,,B')).toThrow(/must not be empty/);
  });
});

describe('a command line that is right', () => {
  it.each<[line: Line, id: string, values: object]>([
    ['report', 'report', {}],
    ['part list', 'part.list', {}],
    ['part list --limit=3', 'part.list', { limit: 3 }],
    ['part list --limit 3', 'part.list', { limit: 3 }],
    ['part list --min-mass=-2.5e1', 'part.list', { min_mass: -25 }],
    ['part list --spare', 'part.list', { spare: true }],
    ['part list --tag=a', 'part.list', { tag: ['a'] }],
    [
      'part list --tag=a --limit=1 --tag b --tag=c',
      'part.list',
      { tag: ['a', 'b', 'c'], limit: 1 },
    ],
    ['part list --level=1 --level=-2', 'part.list', { level: [1, -2] }],
    [['part', 'list', '--tag', 'two words'], 'part.list', { tag: ['two words'] }],
    [['part', 'list', '--tag=a=b=c'], 'part.list', { tag: ['a=b=c'] }],
    ['part list --tag -', 'part.list', { tag: ['-'] }],
    ['part list --tag=--spare', 'part.list', { tag: ['--spare'] }],
    ['part show p1', 'part.show', { part_id: 'p1' }],
    ['part show -', 'part.show', { part_id: '-' }],
    ['part show -- --odd', 'part.show', { part_id: '--odd' }],
    ['part show -- --help', 'part.show', { part_id: '--help' }],
    ['part move p1 left', 'part.move', { part_id: 'p1', store: 'left' }],
    ['part move --note=x p1 left', 'part.move', { part_id: 'p1', store: 'left', note: 'x' }],
    ['part move p1 --note x left', 'part.move', { part_id: 'p1', store: 'left', note: 'x' }],
    ['part label --size=a6', 'part.label', { size: 'a6' }],
    ['part label --size=a6 --ink=#00ff00', 'part.label', { size: 'a6', ink: '#00ff00' }],
    ['part list --limit=1', 'part.list', { limit: 1 }],
    ['part list --limit=100', 'part.list', { limit: 100 }],
    ['part adjust p1', 'part.adjust', { part_id: 'p1' }],
    ['part adjust p1 X', 'part.adjust', { part_id: 'p1', mark: 'X' }],
    [
      'part adjust --quiet p1 --locked X',
      'part.adjust',
      { part_id: 'p1', quiet: true, locked: true, mark: 'X' },
    ],
    ['part adjust p1 --locked=false', 'part.adjust', { part_id: 'p1', locked: false }],
    ['part adjust p1 --locked=true', 'part.adjust', { part_id: 'p1', locked: true }],
    ['part adjust p1 --code=0x1F', 'part.adjust', { part_id: 'p1', code: 31 }],
    [
      'part adjust p1 --size=width=5,unit=mm',
      'part.adjust',
      { part_id: 'p1', size: { width: 5, unit: 'mm' } },
    ],
    ['part adjust p1 --size width=5', 'part.adjust', { part_id: 'p1', size: { width: 5 } }],
    ['--version', 'version', {}],
  ])('is understood: %s', (line, id, values) => {
    expect(read(line)).toEqual({ id, values, globals: {} });
  });

  it.each([
    '--format=json part show p1',
    'part --format=json show p1',
    'part show --format=json p1',
    'part show p1 --format json',
    'part show p1 --format=json',
  ])('takes a global option anywhere: %s', (line) => {
    expect(read(line)).toEqual({
      id: 'part.show',
      values: { part_id: 'p1' },
      globals: { format: 'json' },
    });
  });

  it.each([
    ['plans/a.svg', '/home/bench/plans/a.svg'],
    ['../a.svg', '/home/a.svg'],
    ['/abs/a.svg', '/abs/a.svg'],
  ])('makes the path %s absolute from where it was typed', (given, absolute) => {
    expect(read(`part move p1 left --plan-file=${given}`).values).toMatchObject({
      plan_file: absolute,
    });
    expect(read(`report --project=${given}`).globals).toEqual({ project: absolute });
  });

  it('leaves alone what only looks like a path', () => {
    expect(read('part move p1 left --note=./x').values).toMatchObject({ note: './x' });
  });
});

describe('a command line that asks for help', () => {
  it.each<[line: string, values: object]>([
    ['', {}],
    ['--help', {}],
    ['-h', {}],
    ['help', {}],
    ['help part', { category: 'part' }],
    ['help part move', { category: 'part', action: 'move' }],
    ['part --help', { category: 'part' }],
    ['part move --help', { category: 'part', action: 'move' }],
    ['part move -h', { category: 'part', action: 'move' }],
    ['part move p1 --help', { category: 'part', action: 'move' }],
    ['report --help', { category: 'report' }],
    ['--help part list', { category: 'part', action: 'list' }],
    ['part --help list', { category: 'part', action: 'list' }],
    // Help is requested about the missing arguments.
    ['--help part move', { category: 'part', action: 'move' }],
    ['part --help show', { category: 'part', action: 'show' }],
    ['--help nothing', { category: 'nothing' }],
  ])('gets it: %s', (line, values) => {
    expect(read(line)).toEqual({ id: 'help', values, globals: {} });
  });

  it.each([
    '--format=json',
    '--format=json --help',
    '--help --format=json',
    'help --format=json',
    '--format=json part move --help',
    'part move --format=json --help',
    'part move --help --format=json',
  ])('gets it in the format it names: %s', (line) => {
    expect(read(line)).toMatchObject({ id: 'help', globals: { format: 'json' } });
  });
});

describe('a command line that is wrong', () => {
  it.each<[line: string, message: string, suggestion: string | null]>([
    ['prat', 'No such command: prat. Did you mean part?', 'part'],
    ['nonsense', 'No such command: nonsense.', null],
    ['nonsense now', 'No such command: nonsense.', null],
    ['part lits', 'No such command: part lits. Did you mean part list?', 'part list'],
    ['part nonsense', 'No such command: part nonsense.', null],
    ['PART list', 'No such command: PART. Did you mean part?', 'part'],
    ['part lits p1 left', 'No such command: part lits. Did you mean part list?', 'part list'],
    // The misspelt command is the error, not the option of the intended command.
    ['part lits --limit=3', 'No such command: part lits. Did you mean part list?', 'part list'],
    ['prat list --limit=3', 'No such command: prat. Did you mean part?', 'part'],
  ])('has no such command: %s', (line, message, suggestion) => {
    expect(refusalOf(line)).toMatchObject({
      code: 'unknown_command',
      message,
      details: { suggestion },
    });
  });

  it('lists the actions of a category that stands alone', () => {
    expect(refusalOf('part')).toMatchObject({
      code: 'unknown_command',
      message: 'part needs an action: list, show, move, label, adjust',
      details: { command: 'part', actions: ['list', 'show', 'move', 'label', 'adjust'] },
    });
  });

  it.each<[line: Line, field: string, message: string]>([
    ['part show', 'part_id', '<part-id> is required'],
    ['part move p1', 'store', '<store> is required'],
    ['part label', 'size', '--size is required'],
    ['part show p1 p2', 'p2', 'part show does not accept the argument p2'],
    ['report now', 'now', 'report does not accept the argument now'],
    ['part list --limit', 'limit', '--limit needs a value'],
    ['part list --limit --spare', 'limit', '--limit needs a value'],
    ['part list --limit=', 'limit', '--limit must not be empty'],
    [['part', 'show', ''], 'part_id', '<part-id> must not be empty'],
    ['part list --limit=x', 'limit', '--limit must be an integer'],
    ['part list --limit=1.5', 'limit', '--limit must be an integer'],
    ['part list --level=1 --level=x', 'level', '--level must be an integer'],
    ['part list --min-mass=heavy', 'min_mass', '--min-mass must be a number'],
    ['part list --limit=0', 'limit', '--limit must be at least 1'],
    ['part list --limit=101', 'limit', '--limit must be at most 100'],
    ['part label --size=a6 --ink=red', 'ink', '--ink must be like #00ff00'],
    ['part label --size=a6 --mark=ab', 'mark', '--mark must match ^[A-Z]$'],
    ['part list --limit=1 --limit=2', 'limit', '--limit is given more than once'],
    ['part list --spare --spare', 'spare', '--spare is given more than once'],
    ['part list --spare=true', 'spare', '--spare takes no value'],
    ['part adjust p1 --quiet=false', 'quiet', '--quiet takes no value'],
    ['part adjust p1 --locked=yes', 'locked', '--locked must be true or false'],
    ['part adjust p1 --locked=', 'locked', '--locked must not be empty'],
    ['part adjust p1 --code=0x1000', 'code', '--code must be at most 0xFFF'],
    ['part adjust p1 --size', 'size', '--size needs a value'],
    ['part adjust p1 --size=width=0', 'size.width', 'width of --size must be at least 1'],
    ['part adjust p1 --size=width=1 --size=width=2', 'size', '--size is given more than once'],
    ['part label --size=a4', 'size', '--size must be one of a6, a7'],
    ['part move p1 middle', 'store', '<store> must be one of left, right'],
    ['report --format=xml', 'format', '--format must be one of text, json, jsonl, csv'],
    ['--format=json report --format=csv', 'format', '--format is given more than once'],
    ['report --project=', 'project', '--project must not be empty'],
    [['part', 'list', '--tag=a\0b'], 'tag', '--tag must not contain NUL'],
  ])('names what is at fault: %s', (line, field, message) => {
    expect(refusalOf(line)).toMatchObject({
      code: 'invalid_argument',
      message,
      details: { field },
    });
  });

  it.each<[line: string, field: string, message: string]>([
    ['part list --limt=3', '--limt', 'No such option: --limt. Did you mean --limit?'],
    ['part list --fromat=json', '--fromat', 'No such option: --fromat. Did you mean --format?'],
    ['part list --nonsense', '--nonsense', 'No such option: --nonsense.'],
    ['part list -x', '-x', 'No such option: -x.'],
    ['part list --ink=x', '--ink', '--ink is an option of part label, not of part list'],
    ['--limit=3 part list', '--limit', '--limit must follow its command'],
    ['part --limit=3 list', '--limit', '--limit must follow its command'],
    ['part show --part-id=p1', '--part-id', 'No such option: --part-id.'],
  ])('takes no such option: %s', (line, field, message) => {
    expect(refusalOf(line)).toMatchObject({
      code: 'invalid_argument',
      message,
      details: { field },
    });
  });

  it('lists what an option takes, for programs too', () => {
    expect(refusalOf('part label --size=a4').details).toMatchObject({ allowed: ['a6', 'a7'] });
  });
});

it('does not change the words it is given', () => {
  const argv = Object.freeze(['part', 'list', '--tag', 'a']);
  expect(read(argv).values).toEqual({ tag: ['a'] });
});

describe('a command with assignments', () => {
  const word = (name: string, more: Partial<CliParameter> = {}): CliParameter => ({
    name,
    option: `--${name}`,
    schema: { type: 'string' },
    required: false,
    positional: true,
    callerPath: false,
    ...more,
  });
  const table: CliTable = {
    globals: [],
    commands: [
      {
        id: 'message.send',
        words: ['message', 'send'],
        summary: 'Send',
        place: 'bench',
        daemon: 'required',
        streaming: false,
        observes: false,
        parameters: [
          word('channel'),
          word('frame', { replacedBy: 'message' }),
          word('signals', { schema: { type: 'object' }, rest: true }),
          word('message', { positional: false }),
        ],
      },
    ],
  };
  const valuesOf = (line: string) =>
    readerOf(table, '/').read(['message', 'send', ...line.split(' ')]).arguments;

  it('has a word before them', () => {
    expect(valuesOf('tester Engine A=1 B=x=y')).toEqual({
      channel: 'tester',
      frame: 'Engine',
      signals: { A: '1', B: 'x=y' },
    });
  });

  it.each(['tester A=1 B=2 --message=A#1', 'tester --message=A#1 A=1 B=2'])(
    'needs no such word if an option replaces it: %s',
    (line) => {
      const signals = { A: '1', B: '2' };
      expect(valuesOf(line)).toEqual({ channel: 'tester', message: 'A#1', signals });
    },
  );

  it('keeps a word that is no assignment, for the refusal', () => {
    const given = { channel: 'tester', message: 'Engine', frame: '123#00' };
    expect(valuesOf('tester 123#00 --message=Engine')).toEqual(given);
  });
});

describe('a command whose failures keep an argument', () => {
  const table: CliTable = {
    globals: [],
    commands: [
      {
        id: 'message.send',
        words: ['message', 'send'],
        summary: 'Send',
        place: 'bench',
        daemon: 'required',
        streaming: false,
        observes: false,
        kept: ['channel'],
        parameters: [
          {
            name: 'channel',
            option: '--channel',
            schema: { type: 'string' },
            required: true,
            positional: true,
            callerPath: false,
          },
          {
            name: 'id',
            option: '--id',
            schema: { type: 'integer' },
            required: false,
            positional: false,
            callerPath: false,
          },
        ],
      },
    ],
  };
  const detailsOf = (...argv: string[]) => {
    try {
      readerOf(table, '/').read(['message', 'send', ...argv]);
      return null;
    } catch (error) {
      return (error as BusbarError).details;
    }
  };

  it.each([
    ['a/0', '--id=x'],
    ['--id=x', 'a/0'],
    ['a/0', '--colour=red'],
    ['a/0', 'b/1'],
  ])('tells it, wherever the fault is: %s %s', (...argv) => {
    expect(detailsOf(...argv)).toMatchObject({ channel: 'a/0' });
  });

  it('tells nothing where it was not given', () => {
    expect(detailsOf('--id=1')).toEqual({ field: 'channel' });
  });
});
