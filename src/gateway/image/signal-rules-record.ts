import { Type } from 'typebox';
import { counted, nullable, type RecordOf } from '../../base/schema/schemas.ts';

const bound = (description: string) => nullable(Type.String(), { description });

export const SignalRulesRecord = Type.Object({
  minimum: bound('Least value that all of its bindings can hold; null if nothing limits it'),
  maximum: bound('Largest value that all of its bindings can hold; null if nothing limits it'),
  label_total: counted('Values with a name'),
  labels: Type.Array(Type.Object({ value: Type.String(), label: Type.String() }), {
    description: 'Values with a name; the first 1000, or as many as 512 KiB has room for',
  }),
});
export type SignalRulesRecord = RecordOf<typeof SignalRulesRecord>;
