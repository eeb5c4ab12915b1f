import { describe, expect, it } from 'vitest';
import { operations } from '../../operations/registry.ts';
import { type CliParameter, renderCliTable } from '../../operations/render/cli-table.ts';
import { completionModel } from './completion-model.ts';
import { awkwardTable } from './testing/awkward-table.ts';

const modelOf = (parameters: readonly Partial<CliParameter>[]) =>
  completionModel({
    globals: [],
    commands: [
      {
        id: 'do',
        words: ['do'],
        summary: 'Do it',
        place: 'cli',
        daemon: 'none',
        streaming: false,
        observes: true,
        parameters: parameters.map((parameter) => ({
          name: 'x',
          option: '--x',
          schema: { type: 'string' },
          required: false,
          positional: false,
          callerPath: false,
          ...parameter,
        })),
      },
    ],
  });

const sourceOf = (parameter: Partial<CliParameter>) => modelOf([parameter]).values[0]?.source;
const switchOf = (schema: CliParameter['schema']) => modelOf([{ schema }]).commands[0]?.switches[0];

describe('the words of a line', () => {
  it('go level by level, each described by its command', () => {
    const { levels } = completionModel(renderCliTable(operations));
    const web = levels.find(({ route }) => route === 'web')?.children;
    expect(web?.map(({ text }) => text)).toEqual(['start', 'status', 'stop']);
    expect(web?.[1]?.description).toBe('Show whether the Web service is running, and where');
  });

  it('are described by what can follow where they are no command', () => {
    const { levels } = completionModel(awkwardTable);
    const descriptionOf = (route: string, word: string) =>
      levels.find((level) => level.route === route)?.children.find(({ text }) => text === word)
        ?.description;
    expect(descriptionOf('trace', 'convert')).toBe('all');
    expect(descriptionOf('', 'trace')).toContain('stop');
  });

  it('keep the summary of a command that stands behind those that prolong it', () => {
    const [help, trace, ...others] = awkwardTable.commands;
    if (!help || !trace) return expect.fail('the table has lost its commands');
    const reordered = { ...awkwardTable, commands: [...others, help, trace] };
    const first = completionModel(reordered).levels.find(({ route }) => route === '');
    expect(first?.children.find(({ text }) => text === 'trace')?.description).toContain('stop');
  });
});

describe('a value', () => {
  it.each([
    ['log_file', 'files'],
    ['path', 'files'],
    ['web_root', 'directories'],
    ['output_dir', 'directories'],
    ['project', 'directories'],
  ])('named %s comes from %s', (name, kind) => {
    expect(sourceOf({ name })).toEqual({ kind });
  });

  it('that the CLI makes absolute is a file under any name', () => {
    expect(sourceOf({ name: 'source', callerPath: true })).toEqual({ kind: 'files' });
  });

  it('is not taken for a file because its name ends like one', () => {
    expect(sourceOf({ name: 'e2e_profile' })).toBeUndefined();
  });

  it('comes from its choices before all else', () => {
    const choices = ['a', 'b'];
    expect(sourceOf({ name: 'log_file', schema: { enum: choices } })).toEqual({
      kind: 'choices',
      choices,
    });
    const list = { type: 'array', items: { enum: choices } };
    expect(sourceOf({ schema: list })).toEqual({ kind: 'choices', choices });
  });

  it('by position keeps its place where it cannot be guessed', () => {
    expect(modelOf([{ positional: true }]).values).toEqual([
      { place: 'do 0', source: { kind: 'free' } },
    ]);
  });

  it('is not asked of an option that takes none', () => {
    expect(modelOf([{ name: 'log_file', schema: { type: 'boolean' } }]).values).toEqual([]);
  });
});

describe('an option', () => {
  it('shows an equals sign where it takes a value', () => {
    expect(switchOf({ type: 'integer' })?.spec).toBe('--x=');
    expect(switchOf({ type: 'boolean' })?.spec).toBe('--x');
  });

  it('is starred where it may be repeated', () => {
    expect(switchOf({ type: 'array', items: { type: 'string' } })?.spec).toBe('*--x=');
  });

  it('is described by one sentence on one line', () => {
    const description = 'Port of\n  1.5 stars. Anything else too.';
    expect(switchOf({ type: 'string', description })?.description).toBe('Port of 1.5 stars');
  });
});
