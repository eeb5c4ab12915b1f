import { BusbarError, type ErrorDetails } from '../../../base/errors/busbar-error.ts';
import type { Message, Signal } from '../../model.ts';
import { type DbcContent, type ReadDbcOptions, readDbc } from '../read-dbc.ts';

export const readText = (text: string, options?: ReadDbcOptions): DbcContent =>
  readDbc(new TextEncoder().encode(text), options);

/** The codes of all problems of a file, in its order. */
export const codesOf = (text: string): string[] =>
  readText(text).diagnostics.map(({ code }) => code);

/** The error of a rejected file. */
export const refusalOf = (bytes: string | Uint8Array, options?: ReadDbcOptions): ErrorDetails => {
  try {
    readDbc(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, options);
  } catch (thrown) {
    if (thrown instanceof BusbarError && thrown.code === 'invalid_database') return thrown.details;
    throw thrown;
  }
  return { reason: 'not refused' };
};

export const messageOf = (text: string, index = 0): Message => {
  const message = readText(text).database.messages[index];
  if (message === undefined) throw new BusbarError('internal_error');
  return message;
};

/** The signals below one message of eight bytes with the number 100. */
export const signalsOf = (lines: string): readonly Signal[] =>
  messageOf(`BO_ 100 M: 8 A\n${lines}`).signals;

export const signalOf = (line: string): Signal => {
  const [signal] = signalsOf(line);
  if (signal === undefined) throw new BusbarError('internal_error');
  return signal;
};
