import { BusbarError } from '../errors/busbar-error.ts';
import { ExactWriter } from './exact-writer.ts';

const write = (value: unknown, indent: number): string | undefined => {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // A bigint or a source, most likely. What is wrong for another reason fails again below.
    return new ExactWriter(indent).write(value);
  }
};

/**
 * Writes a value as `JSON.stringify` does, a `bigint` as an integer with all its digits, and a
 * `JsonSource` token by token. What has no JSON form, such as a value that contains itself, is a defect of the caller.
 */
export const stringifyJson = (value: unknown, indent = 0): string => {
  let text: string | undefined;
  try {
    text = write(value, indent);
  } catch (thrown) {
    throw BusbarError.from(thrown);
  }
  if (text === undefined) {
    throw new BusbarError('internal_error', { message: 'This value has no JSON form' });
  }
  return text;
};
