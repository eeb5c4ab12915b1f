import type { CompletionModel, SwitchSpec, ValueSource } from './completion-model.ts';
import { fishEngine } from './fish-engine.ts';

const quoteFish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const quoteAll = (texts: readonly string[]): string => texts.map(quoteFish).join(' ');

const printPairs = (pairs: readonly (readonly [string, string])[]): string =>
  `printf '%s\\t%s\\n' ${quoteAll(pairs.flat())}`;

const printSwitches = (switches: readonly SwitchSpec[]): string =>
  printPairs(switches.map(({ spec, description }) => [spec, description]));

const printSource = (source: ValueSource): string =>
  source.kind === 'choices'
    ? `printf '%s\\n' choices ${quoteAll(source.choices)}`
    : `echo ${source.kind}`;

const caseOf = (text: string, body: string): string =>
  `        case ${quoteFish(text)}\n            ${body}`;

const renderTables = (model: CompletionModel): string => {
  const { levels, commands, globals, values, globalValues } = model;
  return [
    'function __busbar_children',
    '    switch $argv[1]',
    ...levels.map(({ route, children }) =>
      caseOf(route, printPairs(children.map(({ text, description }) => [text, description]))),
    ),
    '    end',
    'end',
    '',
    'function __busbar_is_command',
    `    contains -- $argv[1] ${quoteAll(commands.map(({ route }) => route))}`,
    'end',
    '',
    '# [*]--name[=], starred if repeatable, and its description after a tab.',
    'function __busbar_switches',
    '    switch $argv[1]',
    ...commands
      .filter(({ switches }) => switches.length > 0)
      .map(({ route, switches }) => caseOf(route, printSwitches(switches))),
    '    end',
    `    ${printSwitches(globals)}`,
    'end',
    '',
    '# By command and option, or by command and number of the positional: the kind, then choices.',
    'function __busbar_value',
    '    switch $argv[1]',
    ...values.map(({ place, source }) => caseOf(place, printSource(source))),
    ...globalValues.map(({ place, source }) => caseOf(`* ${place}`, printSource(source))),
    '    end',
    'end',
  ].join('\n');
};

export const renderFish = (model: CompletionModel): string =>
  `# Completion of busbar in fish. Load it with: busbar completion fish | source

${renderTables(model)}

${fishEngine}
complete -c busbar -e
complete -c busbar -n __busbar_prepare -f -a '$__busbar_results'
complete -c busbar -n 'not __busbar_prepare' -F -a '$__busbar_results'
`;
