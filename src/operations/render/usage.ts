import { type JsonSchema, shapeOf } from '../../base/json-schema/json-schema.ts';
import type { Operation } from '../define.ts';

export const optionName = (parameter: string): string => `--${parameter.replaceAll('_', '-')}`;

export const optionOf = ({ cli }: Operation, parameter: string): string =>
  optionName(cli?.names?.[parameter] ?? parameter);

export const commandParameters = ({ cli, parameters }: Operation): string[] => {
  const positionals = cli?.positionals ?? [];
  const except = cli?.except ?? [];
  const names = Object.keys(parameters.properties).filter((name) => !except.includes(name));
  return [...positionals, ...names.filter((name) => !positionals.includes(name))];
};

const valueHint = (parameter: string, schema: JsonSchema): string => {
  const shape = shapeOf(schema);
  if (schema['x-hint']) return schema['x-hint'];
  if (shape.kind === 'choice') return shape.values.join('|');
  if (schema.type === 'object') return '<field>=<value>,…';
  return `<${parameter.replaceAll('_', '-')}>`;
};

/** Whether a boolean option accepts `false`, because omitting it has another meaning. */
export const takesBoolean = (schema: { readonly default?: unknown }): boolean =>
  schema.default !== false;

export const isRequired = (operation: Operation, parameter: string): boolean =>
  (operation.parameters.required ?? []).includes(parameter as never);

export const isRequiredOnLine = (operation: Operation, parameter: string): boolean =>
  isRequired(operation, parameter) || (operation.cli?.needs?.includes(parameter) ?? false);

export const cliNotation = (operation: Operation, parameter: string): string | null => {
  if (!operation.cli || operation.cli.except?.includes(parameter)) return null;
  const option = optionOf(operation, parameter);
  const schema = operation.parameters.properties[parameter] as JsonSchema;
  if (operation.cli.positionals?.includes(parameter)) {
    const value = valueHint(parameter, schema);
    return operation.cli.alsoOptions?.includes(parameter) ? `${value}|${option}=${value}` : value;
  }
  if (schema.type === 'boolean') return option + (takesBoolean(schema) ? '[=true|false]' : '');
  const item = schema.type === 'array' && schema.items ? schema.items : schema;
  return `${option}=${valueHint(operation.cli.names?.[parameter] ?? parameter, item)}`;
};

export const usageOf = (operation: Operation): string | null => {
  const { cli } = operation;
  if (!cli) return null;
  const parts = commandParameters(operation).map((name) => {
    const schema = operation.parameters.properties[name] as JsonSchema;
    const notation = cliNotation(operation, name) ?? '';
    const repeated = schema.type === 'array' && !schema['x-list'] ? `${notation} …` : notation;
    return isRequiredOnLine(operation, name) ? repeated : `[${repeated}]`;
  });
  return ['busbar', ...cli.words, ...parts].join(' ');
};
