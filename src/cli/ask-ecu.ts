import type { DaemonCommand } from './context.ts';
import { callDaemon } from './daemon-commands.ts';
import { renderResult } from './render/result.ts';

/** Prints the response of an ECU. A negative one makes the command fail without an error. */
export const askEcu: DaemonCommand = async (command, values, context) => {
  const outcome = await callDaemon(command, values, context);
  if (!('result' in outcome)) return outcome;
  const { format, palette, write } = context;
  write(renderResult(format, outcome.result, palette, command.columns));
  const { positive } = outcome.result as { readonly positive?: boolean | null };
  return { exitCode: positive === false ? 1 : 0 };
};
