import { Type } from 'typebox';
import { maxConditionLength } from './parse-condition.ts';

/** A field of a request whose text is a condition. */
export const conditionField = (description: string, example: string) =>
  Type.String({
    description: `${description}: a condition such as ${example}`,
    minLength: 1,
    maxLength: maxConditionLength,
    examples: [example],
  });
