import type { CliCommand } from '../operations/render/cli-table.ts';
import type { CliContext, Outcome } from './context.ts';
import { callDaemon } from './daemon-commands.ts';
import { tokenFrom } from './token-source.ts';

export const webStart = (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> => {
  const { token, token_file, ...others } = values;
  const found = tokenFrom({ token, token_file }, context.env);
  return callDaemon(command, found === undefined ? others : { ...others, token: found }, context);
};
