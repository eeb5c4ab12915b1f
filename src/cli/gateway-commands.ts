import { stringifyJson } from '../base/json/stringify-json.ts';
import { validateProjectFile } from '../gateway/build/open-project.ts';
import { LocalFiles } from '../gateway/files/local-files.ts';
import { type ImportArguments, importInTurn } from '../gateway/import/import-project.ts';
import { projectSchema } from '../gateway/project/project-schema.ts';
import type { CliContext, Outcome } from './context.ts';

type Values = Readonly<Record<string, unknown>>;

/** Looks for problems of a project in a file of the caller. */
export const gatewayValidate = async ({ file }: Values): Promise<Outcome> => ({
  result: await validateProjectFile(new LocalFiles(), file as string),
});

/** Imports a DBC file of the caller into a project file of the caller. */
export const gatewayImport = async (given: Values, { clock }: CliContext): Promise<Outcome> => ({
  result: await importInTurn(new LocalFiles(), given as unknown as ImportArguments, clock),
});

/** Prints the schema as editors want it, whatever the format. */
export const gatewaySchema = (_: Values, { write }: CliContext): Outcome => {
  write(`${stringifyJson(projectSchema(), 2)}\n`);
  return { exitCode: 0 };
};
