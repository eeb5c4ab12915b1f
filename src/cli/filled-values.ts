import type { CliCommand } from '../operations/render/cli-table.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Values of a line with declared defaults, for local commands. The daemon's dispatcher does the
 * same.
 */
export const filledValues = ({ parameters }: CliCommand, values: Values): Values => {
  const defaults = parameters.flatMap(({ name, schema }) =>
    schema.default === undefined ? [] : [[name, schema.default]],
  );
  return { ...Object.fromEntries(defaults), ...values };
};
