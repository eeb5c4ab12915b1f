import type { Columns, DaemonNeed, Operation, Place } from '../define.ts';
import { globalOptions } from '../global-options.ts';
import type { OptionSchema } from '../option-text.ts';
import { plainSchema } from './plain-schema.ts';
import { commandParameters, isRequiredOnLine, optionName, optionOf } from './usage.ts';

/** One parameter as the command line takes it. */
export interface CliParameter {
  readonly name: string;
  /** `--history-capacity`; also for positionals, which have no other name. */
  readonly option: string;
  readonly schema: OptionSchema & {
    readonly items?: OptionSchema;
    readonly default?: unknown;
    readonly description?: string;
  };
  readonly required: boolean;
  readonly positional: boolean;
  /** A positional that its option can stand in for. */
  readonly alsoOption?: boolean;
  /** Made absolute from the caller's working directory before it is sent. */
  readonly callerPath: boolean;
}

export interface CliCommand {
  readonly id: string;
  readonly words: readonly string[];
  readonly summary: string;
  readonly place: Place;
  readonly daemon: DaemonNeed;
  readonly streaming: boolean;
  /** It only looks: no harm is done if it is carried out after its caller has given up. */
  readonly observes: boolean;
  readonly parameters: readonly CliParameter[];
  /** Arguments that every failure keeps in its details. */
  readonly kept?: readonly string[];
  /** Fields that a list shows as text. */
  readonly columns?: Columns;
}

/**
 * All that the CLI needs to read a command line, as plain data. It is rendered when Busbar is
 * built, because building schemas at every start would cost the CLI half of its time.
 */
export interface CliTable {
  readonly commands: readonly CliCommand[];
  readonly globals: readonly CliParameter[];
}

/** First line of a packed table. */
export interface CliTableHead {
  readonly globals: readonly CliParameter[];
  /** First words of the commands; each has a line of its own below, in this order. */
  readonly categories: readonly string[];
}

const commandOf = (operation: Operation): CliCommand[] => {
  const { cli } = operation;
  if (!cli) return [];
  const positionals = cli.positionals ?? [];
  const parameters = commandParameters(operation).map((name) => ({
    name,
    option: optionOf(operation, name),
    schema: plainSchema(operation.parameters.properties[name] as object),
    required: isRequiredOnLine(operation, name),
    positional: positionals.includes(name),
    ...(cli.alsoOptions?.includes(name) ? { alsoOption: true } : {}),
    callerPath: cli.callerPaths?.includes(name) ?? false,
  }));
  const { id, summary, execution } = operation;
  const columns = cli.columns ? { columns: cli.columns } : {};
  const kept = operation.kept ? { kept: operation.kept } : {};
  const observes = operation.permission === 'observe';
  return [
    { id, words: cli.words, summary, ...execution, observes, parameters, ...kept, ...columns },
  ];
};

export const renderCliTable = (operations: readonly Operation[]): CliTable => ({
  commands: operations.flatMap(commandOf),
  globals: Object.entries(globalOptions).map(([name, schema]) => ({
    name,
    option: optionName(name),
    schema: plainSchema(schema),
    required: false,
    positional: false,
    callerPath: name === 'project',
  })),
});

/**
 * The table as text, one line of JSON for the commands of each category: a command has to parse
 * the head and the line that it needs, however many others there are.
 */
export const packCliTable = ({ commands, globals }: CliTable): string => {
  const lines = new Map<string, CliCommand[]>();
  for (const command of commands) {
    const [category = ''] = command.words;
    const line = lines.get(category);
    if (line) line.push(command);
    else lines.set(category, [command]);
  }
  const head: CliTableHead = { globals, categories: [...lines.keys()] };
  return [head, ...lines.values()].map((line) => JSON.stringify(line)).join('\n');
};
