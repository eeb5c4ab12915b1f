import type { CliCommand } from '../operations/render/cli-table.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * What a line says, and the declared defaults for the rest. For what the CLI does itself: what the daemon is sent is
 * what was given, and its dispatcher fills in the same.
 */
export const filledValues = ({ parameters }: CliCommand, values: Values): Values => {
  const defaults = parameters.flatMap(({ name, schema }) =>
    schema.default === undefined ? [] : [[name, schema.default]],
  );
  return { ...Object.fromEntries(defaults), ...values };
};
