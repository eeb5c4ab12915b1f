import { isAbsolute, resolve } from 'node:path';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { suggest } from '../base/suggest.ts';
import { withKeptArguments } from '../operations/kept-arguments.ts';
import { valueOfOption } from '../operations/option-text.ts';
import type { CliCommand, CliParameter } from '../operations/render/cli-table.ts';
import { takesBoolean } from '../operations/render/usage.ts';
import type { CommandTable } from './command-table.ts';
import { goneDirectory } from './gone-directory.ts';
import { nameOnLine } from './render/option-names.ts';

export interface ParsedLine {
  readonly command: CliCommand;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, unknown>>;
}

const isOption = (text: string): boolean => text.startsWith('-') && text !== '-';

const isHelp = (text: string): boolean => text === '--help' || text === '-h';

const asksForHelp = (rest: readonly string[]): boolean => {
  const end = rest.indexOf('--');
  return rest.slice(0, end === -1 ? undefined : end).some(isHelp);
};

const meant = (suggestion: string | null): string =>
  suggestion === null ? '' : ` Did you mean ${suggestion}?`;

const isNamed = ({ positional, alsoOption }: CliParameter): boolean =>
  !positional || alsoOption === true;

/** `--message=Engine EngineSpeed=780`: the word is a signal, not a frame. */
const isReplaced = (
  { replacedBy }: CliParameter,
  word: string | undefined,
  values: Readonly<Record<string, unknown>>,
): boolean => replacedBy !== undefined && replacedBy in values && word?.includes('=') === true;

const tooMany = (command: CliCommand, text: string): BusbarError =>
  new BusbarError('invalid_argument', {
    message: `${command.words.join(' ')} does not accept the argument ${text}`,
    details: { field: text },
  });

const firstOf = (command: CliCommand, rest: readonly string[]): Record<string, unknown> => {
  const parameter = command.parameters.find(({ positional }) => positional);
  const text = rest.find((word) => !isOption(word));
  return parameter && text !== undefined ? { [parameter.name]: text } : {};
};

/** Parses a command line against the table. Errors name the word or option. */
export class CommandLineReader {
  readonly #table: CommandTable;
  readonly #workingDirectory: string | null;
  #command: CliCommand | undefined;

  constructor(table: CommandTable, workingDirectory: string | null) {
    this.#table = table;
    this.#workingDirectory = workingDirectory;
  }

  get command(): CliCommand | undefined {
    return this.#command;
  }

  read(argv: readonly string[]): ParsedLine {
    if (argv[0] === '--version') return this.read(['version', ...argv.slice(1)]);
    const globals: Record<string, unknown> = {};
    const queue = [...argv];
    const words: string[] = [];
    let wantsHelp = false;
    while (queue[0] !== undefined && !this.#isComplete(words, queue[0])) {
      const next = queue.shift() as string;
      if (isHelp(next)) wantsHelp = true;
      else if (!isOption(next)) words.push(next);
      else if (!this.#leadsNowhere(words)) this.#readGlobal(next, queue, globals);
    }
    if (words.length === 0) return this.#helpFor([], globals);
    const command = this.#find(words);
    if (!command) {
      if (wantsHelp) return this.#helpFor(words, globals);
      throw this.#unknownCommand(words);
    }
    if (wantsHelp || asksForHelp(queue)) {
      this.#readGlobalsIn(queue, globals);
      return this.#helpFor(command.words, globals);
    }
    this.#command = command;
    const values: Record<string, unknown> = {};
    const loose: string[] = [];
    try {
      this.#readRest(command, queue, loose, values, globals);
    } catch (thrown) {
      if (!command.kept) throw thrown;
      const given = { ...firstOf(command, [...loose, ...queue]), ...values };
      throw withKeptArguments(command.kept, given, thrown);
    }
    return { command, arguments: values, globals };
  }

  #leadsNowhere(words: readonly string[]): boolean {
    return words.length > 0 && !this.#begins(words);
  }

  #begins(words: readonly string[]): boolean {
    return this.#inCategoryOf(words).some((command) =>
      words.every((word, index) => command.words[index] === word),
    );
  }

  #inCategoryOf([category = '']: readonly string[]): readonly CliCommand[] {
    return this.#table.commandsOf(category);
  }

  #readGlobalsIn(queue: string[], globals: Record<string, unknown>): void {
    while (queue.length > 0) {
      const next = queue.shift() as string;
      const name = next.split('=', 1)[0];
      const parameter = this.#table.globals.find(({ option }) => option === name);
      if (parameter) this.#take(parameter, next, queue, globals);
    }
  }

  #isComplete(words: readonly string[], next: string): boolean {
    return this.#find(words) !== undefined && !this.#begins([...words, next]);
  }

  #find(words: readonly string[]): CliCommand | undefined {
    return this.#inCategoryOf(words).find(
      (command) =>
        command.words.length === words.length &&
        command.words.every((word, index) => word === words[index]),
    );
  }

  #helpFor(words: readonly string[], globals: Record<string, unknown>): ParsedLine {
    const command = this.#find(['help']) as CliCommand;
    const [category, ...rest] = words;
    const action = rest.join('-');
    const values = { ...(category ? { category } : {}), ...(action ? { action } : {}) };
    return { command, arguments: values, globals };
  }

  #unknownCommand(words: readonly string[]): BusbarError {
    const [first = '', second] = words;
    const actions = this.#inCategoryOf(words)
      .filter((command) => command.words.length > 1)
      .map((command) => command.words[1] ?? '');
    if (actions.length === 0) {
      const suggestion = suggest(first, this.#table.categories);
      return new BusbarError('unknown_command', {
        message: `No such command: ${first}.${meant(suggestion)}`,
        details: { command: words.join(' '), suggestion },
      });
    }
    if (second === undefined) {
      return new BusbarError('unknown_command', {
        message: `${first} needs an action: ${actions.join(', ')}`,
        details: { command: first, actions },
      });
    }
    const nearest = suggest(second, actions);
    const suggestion = nearest === null ? null : `${first} ${nearest}`;
    return new BusbarError('unknown_command', {
      message: `No such command: ${first} ${second}.${meant(suggestion)}`,
      details: { command: `${first} ${second}`, suggestion },
    });
  }

  #readRest(
    command: CliCommand,
    queue: string[],
    loose: string[],
    values: Record<string, unknown>,
    globals: Record<string, unknown>,
  ): void {
    const words = command.parameters.filter(({ positional }) => positional);
    const positionals = words.filter(({ rest }) => rest !== true);
    const open = words.find(({ rest }) => rest === true);
    // The last positional can take all remaining words.
    const takesMany = positionals.at(-1)?.schema.type === 'array';
    let optionsEnded = false;
    while (queue.length > 0) {
      const next = queue.shift() as string;
      if (!optionsEnded && next === '--') optionsEnded = true;
      else if (!optionsEnded && isOption(next))
        this.#readOption(command, next, queue, values, globals);
      else if (loose.push(next) > positionals.length && !takesMany && !open)
        throw tooMany(command, next);
    }
    const rest = [...loose];
    const byOption = positionals.filter(({ name }) => name in values);
    for (const parameter of positionals.filter(({ name }) => !(name in values))) {
      if (parameter.schema.type === 'array' && rest.length > 0) {
        values[parameter.name] = rest.splice(0).map((text) => this.#valueOf(parameter, text));
        break;
      }
      if (isReplaced(parameter, rest[0], values)) continue;
      const text = rest.shift();
      if (text === undefined) break;
      values[parameter.name] = this.#valueOf(parameter, text);
    }
    const isAssigned = open && rest.every((word) => word.indexOf('=') > 0);
    if (isAssigned) this.#takeAssignments(open, rest.splice(0), values);
    if (rest[0] !== undefined) {
      const twice = byOption.find(({ alsoOption }) => alsoOption);
      if (!twice) throw tooMany(command, rest.find((word) => !word.includes('=')) ?? rest[0]);
      const places = `as ${nameOnLine(twice)} and as ${twice.option}`;
      throw invalidArgument(twice.name, `The ${twice.name} is given twice, ${places}`);
    }
    const missing = command.parameters.find(({ name, required }) => required && !(name in values));
    if (missing) {
      throw invalidArgument(missing.name, `${nameOnLine(missing)} is required`);
    }
  }

  #takeAssignments(
    { name }: CliParameter,
    words: readonly string[],
    values: Record<string, unknown>,
  ): void {
    if (words.length === 0) return;
    const entries = new Map<string, string>();
    for (const word of words) {
      const at = word.indexOf('=');
      const key = word.slice(0, at);
      if (entries.has(key)) {
        throw invalidArgument(`${name}.${key}`, `${key} is given more than once`);
      }
      entries.set(key, word.slice(at + 1));
    }
    values[name] = Object.fromEntries(entries);
  }

  #readOption(
    command: CliCommand,
    text: string,
    queue: string[],
    values: Record<string, unknown>,
    globals: Record<string, unknown>,
  ): void {
    const name = text.split('=', 1)[0] ?? text;
    const parameter = command.parameters.find((known) => known.option === name && isNamed(known));
    if (parameter) this.#take(parameter, text, queue, values);
    else this.#readGlobal(text, queue, globals, command);
  }

  #readGlobal(
    text: string,
    queue: string[],
    globals: Record<string, unknown>,
    command?: CliCommand,
  ): void {
    const name = text.split('=', 1)[0] ?? text;
    const parameter = this.#table.globals.find(({ option }) => option === name);
    if (!parameter) throw this.#unknownOption(name, command);
    this.#take(parameter, text, queue, globals);
  }

  #unknownOption(option: string, command: CliCommand | undefined): BusbarError {
    const owners = this.#table.commands.filter(({ parameters }) =>
      parameters.some((known) => known.option === option && isNamed(known)),
    );
    const details = { field: option };
    if (!command && owners.length > 0) {
      return new BusbarError('invalid_argument', {
        message: `${option} must follow its command`,
        details,
      });
    }
    if (owners.length > 0) {
      const names = owners.map(({ words }) => words.join(' ')).join(', ');
      return new BusbarError('invalid_argument', {
        message: `${option} is an option of ${names}, not of ${command?.words.join(' ')}`,
        details,
      });
    }
    const known = [...(command?.parameters ?? []), ...this.#table.globals];
    const suggestion = suggest(
      option,
      known.filter(isNamed).map((parameter) => parameter.option),
    );
    return new BusbarError('invalid_argument', {
      message: `No such option: ${option}.${meant(suggestion)}`,
      details: { ...details, suggestion },
    });
  }

  #take(
    parameter: CliParameter,
    text: string,
    queue: string[],
    values: Record<string, unknown>,
  ): void {
    const { name, option, schema } = parameter;
    const repeatable = schema.type === 'array';
    if (name in values && !repeatable) {
      throw invalidArgument(name, `${option} is given more than once`);
    }
    const equals = text.indexOf('=');
    if (schema.type === 'boolean' && equals === -1) {
      values[name] = true;
      return;
    }
    if (schema.type === 'boolean' && !takesBoolean(schema)) {
      throw invalidArgument(name, `${option} takes no value`);
    }
    const inline = equals === -1 ? undefined : text.slice(equals + 1);
    const value = inline ?? queue.shift();
    if (value === undefined || (inline === undefined && isOption(value))) {
      throw invalidArgument(name, `${option} needs a value`);
    }
    const texts = schema['x-list'] ? value.split(',') : [value];
    const read = texts.map((each) => this.#valueOf(parameter, each));
    values[name] = repeatable ? [...((values[name] as unknown[]) ?? []), ...read] : read[0];
  }

  #valueOf(parameter: CliParameter, text: string): unknown {
    const { name: field, schema, callerPath } = parameter;
    const name = { field, shown: nameOnLine(parameter) };
    const value = valueOfOption(schema.items ?? schema, name, text);
    const isPath = callerPath && !(schema['x-stdin'] && text === '-');
    return isPath ? this.#pathOf(name, text) : value;
  }

  #pathOf({ field, shown }: { field: string; shown: string }, text: string): string {
    if (this.#workingDirectory !== null) return resolve(this.#workingDirectory, text);
    if (isAbsolute(text)) return text;
    throw invalidArgument(field, `${shown} is a relative path, but ${goneDirectory}: ${text}`, {
      reason: 'no_working_directory',
    });
  }
}
