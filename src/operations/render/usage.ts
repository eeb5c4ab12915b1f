import type { Operation } from '../define.ts';

interface SchemaFacts {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: SchemaFacts;
  readonly anyOf?: readonly SchemaFacts[];
  readonly default?: unknown;
  /** How a value is put together, where its name does not tell. */
  readonly 'x-hint'?: string;
}

export const optionName = (parameter: string): string => `--${parameter.replaceAll('_', '-')}`;

/** What the option of a parameter is called. */
export const optionOf = ({ cli }: Operation, parameter: string): string =>
  optionName(cli?.names?.[parameter] ?? parameter);

/** The parameters that a command takes, those without an option first. */
export const commandParameters = ({ cli, parameters }: Operation): string[] => {
  const positionals = cli?.positionals ?? [];
  const except = cli?.except ?? [];
  const names = Object.keys(parameters.properties).filter((name) => !except.includes(name));
  return [...positionals, ...names.filter((name) => !positionals.includes(name))];
};

/** A word for the kind of value a parameter takes, such as `<count>`-like placeholders need. */
export const typeWord = (schema: object): string => {
  const facts = schema as SchemaFacts;
  if (facts.enum) return 'enum';
  if (facts.type === 'array' && facts.items) return `${typeWord(facts.items)}[]`;
  if (facts.anyOf) return facts.anyOf.map(typeWord).join(' or ');
  return facts.type ?? 'any';
};

const valueHint = (parameter: string, schema: object): string => {
  const facts = schema as SchemaFacts;
  if (facts['x-hint']) return facts['x-hint'];
  if (facts.enum) return facts.enum.join('|');
  if (facts.type === 'object') return '<field>=<value>,…';
  return `<${parameter.replaceAll('_', '-')}>`;
};

/** Whether a boolean can be given as false, because leaving it out means something else. */
export const takesBoolean = (schema: { readonly default?: unknown }): boolean =>
  schema.default === undefined;

const isRequired = (operation: Operation, parameter: string): boolean =>
  (operation.parameters.required ?? []).includes(parameter as never);

/** Whether a command cannot do without it. */
export const isRequiredOnLine = (operation: Operation, parameter: string): boolean =>
  isRequired(operation, parameter) || (operation.cli?.needs?.includes(parameter) ?? false);

/** How one parameter is written on a command line; null where that does not have it. */
export const cliNotation = (operation: Operation, parameter: string): string | null => {
  if (!operation.cli || operation.cli.except?.includes(parameter)) return null;
  const option = optionOf(operation, parameter);
  const schema = operation.parameters.properties[parameter] as SchemaFacts & object;
  if (operation.cli.positionals?.includes(parameter)) {
    const value = valueHint(parameter, schema);
    return operation.cli.alsoOptions?.includes(parameter) ? `${value}|${option}=${value}` : value;
  }
  if (schema.type === 'boolean') return option + (takesBoolean(schema) ? '[=true|false]' : '');
  const item = schema.type === 'array' && schema.items ? schema.items : schema;
  return `${option}=${valueHint(operation.cli.names?.[parameter] ?? parameter, item)}`;
};

/** The usage line of a command; null where the operation has none. */
export const usageOf = (operation: Operation): string | null => {
  const { cli } = operation;
  if (!cli) return null;
  const parts = commandParameters(operation).map((name) => {
    const schema = operation.parameters.properties[name] as SchemaFacts;
    const notation = cliNotation(operation, name) ?? '';
    const repeated = schema.type === 'array' ? `${notation} …` : notation;
    return isRequiredOnLine(operation, name) ? repeated : `[${repeated}]`;
  });
  return ['busbar', ...cli.words, ...parts].join(' ');
};

export { isRequired };
