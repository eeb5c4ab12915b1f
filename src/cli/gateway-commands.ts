import { stringifyJson } from '../base/json/stringify-json.ts';
import { validateProjectFile } from '../gateway/build/open-project.ts';
import { LocalFiles } from '../gateway/files/local-files.ts';
import { type ImportArguments, importInTurn } from '../gateway/import/import-project.ts';
import { projectSchema } from '../gateway/project/project-schema.ts';
import type { CliContext, Outcome } from './context.ts';

type Values = Readonly<Record<string, unknown>>;

export const gatewayValidate = async ({ file }: Values): Promise<Outcome> => ({
  result: await validateProjectFile(new LocalFiles(), file as string),
});

export const gatewayImport = async (given: Values, { clock }: CliContext): Promise<Outcome> => ({
  result: await importInTurn(new LocalFiles(), given as unknown as ImportArguments, clock),
});

export const gatewaySchema = (_: Values, { write }: CliContext): Outcome => {
  write(`${stringifyJson(projectSchema(), 2)}\n`);
  return { exitCode: 0 };
};
