import type {
  CliCommand,
  CliParameter,
  CliTable,
  CliTableHead,
} from '../operations/render/cli-table.ts';

export class CommandTable implements CliTable {
  readonly globals: readonly CliParameter[];
  readonly categories: readonly string[];
  readonly #lines: readonly string[];
  readonly #parsed = new Map<string, readonly CliCommand[]>();

  constructor(packed: string) {
    const [head = '', ...lines] = packed.split('\n');
    const { globals, categories }: CliTableHead = JSON.parse(head);
    this.globals = globals;
    this.categories = categories;
    this.#lines = lines;
  }

  get commands(): readonly CliCommand[] {
    return this.categories.flatMap((category) => this.commandsOf(category));
  }

  commandsOf(category: string): readonly CliCommand[] {
    const known = this.#parsed.get(category);
    if (known) return known;
    const line = this.#lines[this.categories.indexOf(category)];
    const commands: readonly CliCommand[] = line === undefined ? [] : JSON.parse(line);
    this.#parsed.set(category, commands);
    return commands;
  }
}
