/**
 * What can be wrong with a project, each kind declared once: validation reports these codes, and the
 * reference lists them with what they mean.
 */
export const problemCodes = {
  invalid_json: 'The file is not JSON',
  duplicate_key: 'A key is given twice in one object',
  wrong_type: 'The value is of another JSON type than the field has',
  missing_field: 'A field that is needed is not there',
  unknown_field: 'There is no such field',
  invalid_choice: 'The value is none of those that the field can have',
  invalid_text: 'The text does not have the form that the field needs',
  out_of_range: 'The number, text or list is too small or too large',
  inexact: 'The number cannot be held exactly',
  duplicate_id: 'Two rows of a table have the same id',
  dangling_reference: 'There is no row with that id',
  conflicting_fields: 'Fields are given that exclude each other',
} as const;

export type ProblemCode = keyof typeof problemCodes;
