import { bashEngine } from './bash-engine.ts';
import type { CompletionModel } from './completion-model.ts';
import { assignSource, caseArm, quoteAllPosix, quotePosix } from './posix-text.ts';

const renderTables = (model: CompletionModel): string => {
  const { levels, commands, globals, values, globalValues } = model;
  const specs = (switches: CompletionModel['globals']): string =>
    quoteAllPosix(switches.map(({ spec }) => spec));
  return [
    '_busbar_children() {',
    '  children=()',
    '  case $1 in',
    ...levels.map(({ route, children }) =>
      caseArm([quotePosix(route)], `children=(${quoteAllPosix(children.map(({ text }) => text))})`),
    ),
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
    '# [*]--name[=]: starred where it may be repeated, with an equals sign where it takes a value.',
    '_busbar_switches() {',
    '  switches=()',
    '  case $1 in',
    ...commands
      .filter(({ switches }) => switches.length > 0)
      .map(({ route, switches }) => caseArm([quotePosix(route)], `switches=(${specs(switches)})`)),
    '  esac',
    `  switches+=(${specs(globals)})`,
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

/** The script for bash; it needs nothing of the bash-completion package and bears with it. */
export const renderBash = (model: CompletionModel): string =>
  `# Completion of busbar in bash. Load it with: source <(busbar completion bash)

${renderTables(model)}

${bashEngine}
complete -F _busbar busbar
`;
