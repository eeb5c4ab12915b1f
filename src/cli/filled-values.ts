import type { CliCommand } from '../operations/render/cli-table.ts';

type Values = Readonly<Record<string, unknown>>;

/** Fills in declared defaults for local commands. For others the dispatcher does it. */
export const filledValues = ({ parameters }: CliCommand, values: Values): Values => {
  const defaults = parameters.flatMap(({ name, schema }) =>
    schema.default === undefined ? [] : [[name, schema.default]],
  );
  return { ...Object.fromEntries(defaults), ...values };
};
