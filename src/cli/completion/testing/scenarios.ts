import type { CliTable } from '../../../operations/render/cli-table.ts';
import { awkwardChoices } from './awkward-table.ts';

/** A behaviour, a line that shows it, and the candidates at its end. */
export type Scenario = readonly [string, string, readonly string[]];

/** The options of a command, or those before any command. */
export const optionsOf = (
  { commands, globals }: CliTable,
  route: string,
  ...given: readonly string[]
): readonly string[] => {
  const command = commands.find(({ words }) => words.join(' ') === route);
  const own =
    command?.parameters.filter(({ positional, alsoOption }) => !positional || alsoOption) ?? [];
  return [...own, ...globals]
    .map(({ option }) => option)
    .concat('--help')
    .filter((option) => !given.includes(option));
};

const startingWith = (start: string, words: readonly string[]): readonly string[] =>
  words.filter((word) => word.startsWith(start));

/** What the existing commands need. */
export const realScenarios = (table: CliTable): readonly Scenario[] => {
  const { commands } = table;
  const firstWords = [...new Set(commands.map(({ words }) => words[0] ?? ''))];
  const webActions = commands
    .filter(({ words }) => words[0] === 'web')
    .map(({ words }) => words[1] ?? '');
  const logLevels =
    commands
      .find(({ id }) => id === 'web.start')
      ?.parameters.find(({ name }) => name === 'log_level')
      ?.schema.enum?.map(String) ?? [];
  return [
    ['every first word at the start', 'busbar ', firstWords],
    ['the words that continue what is typed', 'busbar w', startingWith('w', firstWords)],
    ['the second words of a category', 'busbar web ', webActions],
    ['words after a global option', 'busbar --format=json web st', startingWith('st', webActions)],
    ['words after the value of one', 'busbar --format json w', startingWith('w', firstWords)],
    [
      'words around a global option',
      'busbar web --format=csv sta',
      startingWith('sta', webActions),
    ],
    ['nothing after a word that is no command', 'busbar wob ', []],
    ['nothing after a word that is no action', 'busbar web wob ', []],
    ['the global options before a command', 'busbar -', optionsOf(table, '')],
    ['the global options between the words', 'busbar web --', optionsOf(table, '')],
    ['the options of a command', 'busbar web start -', optionsOf(table, 'web start')],
    ['options where nothing else is allowed', 'busbar web start ', optionsOf(table, 'web start')],
    [
      'the options that begin as typed',
      'busbar web start --log',
      startingWith('--log', optionsOf(table, 'web start')),
    ],
    [
      'no option that is given already',
      'busbar --format=csv web start --log-level off --allow-insecure-http --listen=[::1]:80 -',
      optionsOf(table, 'web start', '--format', '--log-level', '--allow-insecure-http', '--listen'),
    ],
    ['choices after an equals sign', 'busbar web start --log-level=', logLevels],
    ['choices that begin as typed', 'busbar web start --log-level=d', startingWith('d', logLevels)],
    ['choices in a word of their own', 'busbar web start --log-level ', logLevels],
    ['choices of a global option', 'busbar daemon stop --format=j', ['json', 'jsonl']],
    ['choices of a global option before the command', 'busbar --format c', ['csv']],
    ['choices of a positional', 'busbar completion ', ['bash', 'zsh', 'fish']],
    ['nothing for a value that cannot be guessed', 'busbar web start --listen=', []],
    ['nothing for such a value in a word of its own', 'busbar web start --token ', []],
    ['nothing for a positional that cannot be guessed', 'busbar job show ', []],
    ['nothing for the value of an option that is not there', 'busbar version --log-level=', []],
    ['nothing for the value of an option that takes none', 'busbar daemon start --realtime=', []],
    ['commands to explain', 'busbar help ', firstWords],
    ['actions to explain', 'busbar help web ', webActions],
    ['nothing below a command without actions', 'busbar help version ', []],
    ['options of help', 'busbar help web start --f', ['--format']],
    ['directories for a directory', 'busbar --project=', ['data', 'my dir']],
    ['directories in a word of their own', 'busbar web start --web-root m', ['my dir']],
    ['directories inside one', 'busbar --project=data/', ['data/inner']],
    ['directories at home', 'busbar --project ~/b', ['~/benches']],
    ['all files for a file', 'busbar web start --log-file=', ['data', 'my dir', 'my.log']],
    [
      'files in a word of their own',
      'busbar web start --log-file data/',
      ['data/a b.log', 'data/inner'],
    ],
  ];
};

/** What the grammar allows but no existing command needs. */
export const awkwardScenarios: readonly Scenario[] = [
  [
    'words and files where both are allowed',
    'busbar trace ',
    ['convert', 'data', 'my dir', 'my.log', 'show'],
  ],
  ['options of a command that others prolong', 'busbar trace --h', ['--help']],
  ['no words after an option of such a command', 'busbar trace --format=text sh', []],
  ['third words', 'busbar trace convert ', ['all']],
  ['choices of the first positional', 'busbar trace convert all ', ['fast', 'exact']],
  [
    'files for the second positional',
    'busbar trace convert all --force fast m',
    ['my dir', 'my.log'],
  ],
  [
    'options after the last positional, those that may be repeated again',
    'busbar trace convert all --channel=can0 --tag x --force fast my.log ',
    ['--channel', '--e2e-profile', '--format', '--help', '--output-dir', '--project', '--tag'],
  ],
  [
    'choices of the items of a list',
    'busbar trace convert all --channel can0 --channel=',
    ['can0', 'can1'],
  ],
  ['no files for a profile', 'busbar trace convert all --e2e-profile=', []],
  ['directories by the name of the option', 'busbar trace convert all --output-dir=d', ['data']],
  ['no options once they have ended', 'busbar trace convert all -- -', []],
  ['positionals once options have ended', 'busbar trace convert all --force -- f', ['fast']],
  ['choices of an option that hides a global one', 'busbar say --format=', ['short', 'long']],
  ['each option once', 'busbar say --', ['--choice', '--format', '--help', '--project']],
  ['awkward choices of an option', 'busbar say --choice=', awkwardChoices],
  ['awkward choices in a word of their own', 'busbar say --choice ', awkwardChoices],
  ['awkward choices of a positional', 'busbar say ', awkwardChoices],
  ['choices that begin with an escaped word', 'busbar say --choice=two\\ w', ['two words']],
];
