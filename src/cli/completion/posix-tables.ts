import type { Candidate, CompletionModel, ValueSource } from './completion-model.ts';

export const quotePosix = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const quoteAllPosix = (texts: readonly string[]): string => texts.map(quotePosix).join(' ');

const caseArm = (patterns: readonly string[], body: string): string =>
  `    ${patterns.join(' | ')}) ${body} ;;`;

const assignSource = (source: ValueSource): string =>
  source.kind === 'choices'
    ? `kind=choices choices=(${quoteAllPosix(source.choices)})`
    : `kind=${source.kind}`;

/** Differences between bash and zsh tables: zsh shows descriptions. */
export interface TableDialect {
  readonly resetChildren: string;
  readonly assignChildren: (children: readonly Candidate[]) => string;
  readonly switchNotation: string;
  readonly switchWords: (switches: CompletionModel['globals']) => string;
}

export const renderPosixTables = (model: CompletionModel, dialect: TableDialect): string => {
  const { levels, commands, globals, values, globalValues } = model;
  const { assignChildren, switchWords } = dialect;
  return [
    '_busbar_children() {',
    `  ${dialect.resetChildren}`,
    '  case $1 in',
    ...levels.map(({ route, children }) => caseArm([quotePosix(route)], assignChildren(children))),
    '  esac',
    '}',
    '',
    '_busbar_is_command() {',
    '  case $1 in',
    caseArm(
      commands.map(({ route }) => quotePosix(route)),
      'return 0',
    ),
    '  esac',
    '  return 1',
    '}',
    '',
    `# ${dialect.switchNotation}`,
    '_busbar_switches() {',
    '  switches=()',
    '  case $1 in',
    ...commands
      .filter(({ switches }) => switches.length > 0)
      .map(({ route, switches }) =>
        caseArm([quotePosix(route)], `switches=(${switchWords(switches)})`),
      ),
    '  esac',
    `  switches+=(${switchWords(globals)})`,
    '}',
    '',
    '# By command and option, or by command and number of the positional.',
    '_busbar_value() {',
    "  kind='' choices=()",
    '  case $1 in',
    ...values.map(({ place, source }) => caseArm([quotePosix(place)], assignSource(source))),
    ...globalValues.map(({ place, source }) =>
      caseArm([`*${quotePosix(` ${place}`)}`], assignSource(source)),
    ),
    '  esac',
    '}',
  ].join('\n');
};
