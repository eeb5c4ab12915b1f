import type { Report } from './project-links.ts';

/** Whether a row has exactly one of its fields; reports it otherwise. */
export const hasOneOf = <Field extends string>(
  row: Partial<Record<Field, unknown>>,
  fields: readonly Field[],
  index: number,
  report: Report,
): boolean => {
  const [first, second] = fields.filter((field) => row[field] !== undefined);
  const names = `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`;
  if (first === undefined) {
    report(index, fields[0] ?? '', 'missing_field', `is required: give one of ${names}`);
  } else if (second !== undefined) {
    report(
      index,
      second,
      'conflicting_fields',
      `must not stand beside ${first}: give one of ${names}`,
    );
  }
  return first !== undefined && second === undefined;
};
