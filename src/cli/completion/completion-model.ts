import type { CliCommand, CliParameter, CliTable } from '../../operations/render/cli-table.ts';

/** Source of completion candidates; `free` has none. */
export type ValueSource =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'files' | 'directories' | 'commands' | 'free' };

export interface Candidate {
  readonly text: string;
  readonly description: string;
}

/** An option as `[*]--name[=]`; the star marks repeatable options. */
export interface SwitchSpec {
  readonly spec: string;
  readonly description: string;
}

/** Values of a command option, or of its nth positional. */
export interface ValuePlace {
  readonly place: string;
  readonly source: ValueSource;
}

export interface CompletionModel {
  /** Next words after a route, which is the sequence of words typed before. */
  readonly levels: readonly { readonly route: string; readonly children: readonly Candidate[] }[];
  readonly commands: readonly {
    readonly route: string;
    readonly switches: readonly SwitchSpec[];
  }[];
  readonly globals: readonly SwitchSpec[];
  readonly values: readonly ValuePlace[];
  readonly globalValues: readonly ValuePlace[];
}

const helpSwitch: SwitchSpec = {
  spec: '--help',
  description: 'Describe the command instead of running it',
};

const free: ValueSource = { kind: 'free' };
const directoryNames = ['root', 'dir', 'project'];
const fileNames = ['file', 'path'];

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.split(/\.(?: |$)/, 1)[0] ?? line;
};

const sourceOf = ({ name, schema, callerPath }: CliParameter): ValueSource => {
  const choices = schema.items?.enum ?? schema.enum;
  if (choices) return { kind: 'choices', choices: choices.map(String) };
  // The last word determines the kind: `web_root` is a folder.
  const noun = name.split('_').at(-1) ?? name;
  if (directoryNames.includes(noun)) return { kind: 'directories' };
  return callerPath || fileNames.includes(noun) ? { kind: 'files' } : free;
};

const switchOf = ({ option, schema }: CliParameter): SwitchSpec => {
  const star = schema.type === 'array' ? '*' : '';
  const equals = schema.type === 'boolean' ? '' : '=';
  return { spec: `${star}${option}${equals}`, description: shortened(schema.description ?? '') };
};

const optionsOf = (parameters: readonly CliParameter[]): readonly CliParameter[] =>
  parameters.filter(({ positional, alsoOption }) => !positional || alsoOption);

const optionValues = (prefix: string, parameters: readonly CliParameter[]): ValuePlace[] =>
  optionsOf(parameters)
    .filter(({ schema }) => schema.type !== 'boolean')
    .map((parameter) => ({ place: `${prefix}${parameter.option}`, source: sourceOf(parameter) }))
    .filter(({ source }) => source !== free);

/** Free positionals keep their position, so no option is offered in their place. */
const positionalValues = ({ id, words, parameters }: CliCommand): ValuePlace[] =>
  parameters
    .filter(({ positional }) => positional)
    .map((parameter, index) => ({
      place: `${words.join(' ')} ${index}`,
      source: id === 'help' ? { kind: 'commands' } : sourceOf(parameter),
    }));

const levelsOf = (commands: readonly CliCommand[]): CompletionModel['levels'] => {
  const wordsAfter = new Map<string, Map<string, string | undefined>>([['', new Map()]]);
  for (const { words, summary } of commands) {
    for (const [depth, word] of words.entries()) {
      const route = words.slice(0, depth).join(' ');
      const children = wordsAfter.get(route) ?? new Map<string, string | undefined>();
      const own = depth === words.length - 1 ? shortened(summary) : children.get(word);
      wordsAfter.set(route, children.set(word, own));
    }
  }
  const describe = (route: string, word: string): string => {
    const below = wordsAfter.get(route === '' ? word : `${route} ${word}`);
    return [...(below?.keys() ?? [])].join(', ');
  };
  return [...wordsAfter].map(([route, children]) => ({
    route,
    children: [...children].map(([text, summary]) => ({
      text,
      description: summary ?? describe(route, text),
    })),
  }));
};

export const completionModel = ({ commands, globals }: CliTable): CompletionModel => ({
  levels: levelsOf(commands),
  commands: commands.map(({ words, parameters }) => ({
    route: words.join(' '),
    switches: optionsOf(parameters).map(switchOf),
  })),
  globals: [...globals.map(switchOf), helpSwitch],
  values: commands.flatMap((command) => [
    ...positionalValues(command),
    ...optionValues(`${command.words.join(' ')} `, command.parameters),
  ]),
  globalValues: optionValues('', globals),
});
