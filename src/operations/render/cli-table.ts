import type { JsonSchema } from '../../base/json-schema/json-schema.ts';
import type { CliShape, Columns, DaemonUse, Operation, Thread } from '../define.ts';
import { globalOptions } from '../global-options.ts';
import { plainSchema } from './plain-schema.ts';
import { commandParameters, isRequiredOnLine, optionName, optionOf } from './usage.ts';

export interface CliParameter {
  readonly name: string;
  /** For example `--history-capacity`; also set for positionals. */
  readonly option: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly positional: boolean;
  /** The positional is also an option. */
  readonly alsoOption?: boolean;
  readonly callerPath: boolean;
  /** Takes all further words, each `name=value`. */
  readonly rest?: boolean;
  /** Parameter given instead of this positional. */
  readonly replacedBy?: string;
}

export interface CliCommand {
  readonly id: string;
  readonly words: readonly string[];
  readonly summary: string;
  readonly place: Thread;
  readonly daemon: DaemonUse;
  readonly streaming: boolean;
  /** Read-only: harmless if executed after its caller has timed out. */
  readonly observes: boolean;
  readonly parameters: readonly CliParameter[];
  readonly kept?: readonly string[];
  readonly columns?: Columns;
}

/**
 * Everything the CLI needs to parse a command line, as plain data. Rendered at build time,
 * since building the schemas would double the startup time.
 */
export interface CliTable {
  readonly commands: readonly CliCommand[];
  readonly globals: readonly CliParameter[];
}

export interface CliTableHead {
  readonly globals: readonly CliParameter[];
  /** First words of commands; each has a line below. */
  readonly categories: readonly string[];
}

const replacementOf = ({ replacedBy }: CliShape, name: string): { replacedBy?: string } => {
  const by = replacedBy?.[name];
  return by === undefined ? {} : { replacedBy: by };
};

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
    ...(cli.rest === name ? { rest: true } : {}),
    ...replacementOf(cli, name),
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
 * Packs the table as one JSON line per category. A command parses only the head and its own line.
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
