import { fieldsOfText, type OptionSchema, valueOfOption } from '../operations/option-text.ts';
import type { CliCommand, CliParameter } from '../operations/render/cli-table.ts';

const name = { field: 'channel', shown: '--channel' };

const schemaOf = (parameters: readonly CliParameter[]): OptionSchema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
  required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
});

/**
 * The arguments of `command`, which opens channels, out of a selector and its settings in one
 * text: `SIM00001/0,bitrate=500000,lin.role=master`.
 */
export const channelOptionOf = (
  text: string,
  { parameters }: CliCommand,
): Readonly<Record<string, unknown>> => {
  const comma = text.indexOf(',');
  const selectorText = comma === -1 ? text : text.slice(0, comma);
  const values: Record<string, unknown> = {};
  for (const selector of parameters.filter(({ positional }) => positional)) {
    values[selector.name] = valueOfOption(selector.schema, name, selectorText);
  }
  if (comma === -1) return values;
  const settings = schemaOf(parameters.filter(({ positional }) => !positional));
  return { ...values, ...fieldsOfText(settings, name, text.slice(comma + 1)) };
};
