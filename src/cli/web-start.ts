import { closeSync, fstatSync, openSync } from 'node:fs';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import { refusalOf } from '../base/files/path-refusals.ts';
import { readAtMost } from '../base/files/read-at-most.ts';
import type { DaemonCommand } from './context.ts';
import { callDaemon } from './daemon-commands.ts';

const tokenVariable = 'BUSBAR_TOKEN';

interface TokenOptions {
  readonly token?: unknown;
  readonly token_file?: unknown;
}

const maxTokenLength = 512;
const tokenText = /^[!-~]+$/;
const othersBits = 0o007;

const refuse = (field: string, message: string, reason: string) =>
  invalidArgument(field, message, { reason });

const checked = (token: string, field: string, name: string): string => {
  if (token === '') throw refuse(field, `${name} is empty`, 'empty');
  if (token.length > maxTokenLength) {
    throw refuse(field, `${name} has more than ${maxTokenLength} characters`, 'too_long');
  }
  if (tokenText.test(token)) return token;
  throw refuse(field, `${name} must be one line of visible ASCII without spaces`, 'pattern');
};

const readToken = (path: string): string => {
  const named = { path, field: 'token_file' };
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const facts = fstatSync(fd);
    if (facts.isFile() && (facts.mode & othersBits) !== 0) {
      const message = `The token file ${path} is accessible to other users; run chmod o= ${path}`;
      throw refuse('token_file', message, 'permissions');
    }
    // Room for a line end, and to detect longer content.
    const text = Buffer.from(readAtMost(fd, maxTokenLength + 2)).toString('latin1');
    return checked(text.replace(/\r?\n$/, ''), 'token_file', `The token file ${path}`);
  } catch (thrown) {
    throw refusalOf(named, thrown);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
};

/**
 * Token from the line, a file or the environment; undefined if not specified. An empty variable
 * is rejected, since it was meant to protect the service.
 */
export const tokenFrom = (
  { token, token_file }: TokenOptions,
  env: NodeJS.ProcessEnv,
): string | undefined => {
  const variable = env[tokenVariable];
  const given = [
    ...(token === undefined ? [] : ['--token']),
    ...(token_file === undefined ? [] : ['--token-file']),
    ...(variable === undefined ? [] : [tokenVariable]),
  ];
  if (given.length > 1) {
    const field = token_file === undefined ? 'token' : 'token_file';
    throw refuse(field, `The token is given more than once: ${given.join(', ')}`, 'exclusive');
  }
  if (token_file !== undefined) return readToken(token_file as string);
  if (variable !== undefined) return checked(variable, 'token', tokenVariable);
  return token as string | undefined;
};

export const webStart: DaemonCommand = (command, values, context) => {
  const { token, token_file, ...others } = values;
  const found = tokenFrom({ token, token_file }, context.env);
  return callDaemon(command, found === undefined ? others : { ...others, token: found }, context);
};
