import type { CliCommand, CliParameter, CliTable } from '../../../operations/render/cli-table.ts';

/** Choices that a shell would expand, execute, split or unquote. */
export const awkwardChoices = [
  'two words',
  "it's",
  '"quoted"',
  '$HOME',
  '$(touch ran-a-choice)',
  '`touch ran-a-choice`',
  'one;two&three|four',
  'back\\slash',
  'key:value',
  'a=b',
  'me@home',
  '*',
  '~',
  '[x]{y,z}',
  '#hash!',
  'größe',
];

/** A description that ends early if one of its characters is parsed as syntax. */
export const awkwardSummary = `Don't [stop]: "it's" \`touch ran-a-choice\` $(touch ran-a-choice) \\ %s`;

const parameter = (
  name: string,
  schema: CliParameter['schema'],
  kind: Partial<Pick<CliParameter, 'positional' | 'callerPath' | 'required'>> = {},
): CliParameter => ({
  name,
  option: `--${name.replaceAll('_', '-')}`,
  schema,
  required: false,
  positional: false,
  callerPath: false,
  ...kind,
});

const command = (words: readonly string[], parameters: readonly CliParameter[]): CliCommand => ({
  id: words.join('.'),
  words,
  summary: awkwardSummary,
  place: 'client',
  daemon: 'none',
  streaming: false,
  observes: true,
  parameters,
});

const string = { type: 'string' } as const;

/** Grammar features that the real table need not use. */
export const awkwardTable: CliTable = {
  commands: [
    command(['help'], [parameter('category', string, { positional: true })]),
    command(['trace'], [parameter('trace_file', string, { positional: true })]),
    command(['trace', 'show'], [parameter('id', string, { positional: true })]),
    command(
      ['trace', 'convert', 'all'],
      [
        parameter('mode', { enum: ['fast', 'exact'] }, { positional: true }),
        parameter('source', string, { positional: true, callerPath: true }),
        parameter('channel', { type: 'array', items: { enum: ['can0', 'can1'] } }),
        parameter('tag', { type: 'array', items: string }),
        parameter('force', { type: 'boolean' }),
        parameter('e2e_profile', string),
        parameter('output_dir', string),
      ],
    ),
    command(
      ['say'],
      [
        parameter('choice', { enum: awkwardChoices, description: awkwardSummary }),
        parameter('format', { enum: ['short', 'long'] }),
        parameter('word', { enum: awkwardChoices }, { positional: true }),
      ],
    ),
  ],
  globals: [
    parameter('project', string, { callerPath: true }),
    parameter('format', { enum: ['text', 'json'] }),
  ],
};
