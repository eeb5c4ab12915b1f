import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { conditionKinds } from '../condition.ts';

const unixUs = (description: string) =>
  Type.Integer({ description: `${description}, as Unix time in microseconds` });

export const ConditionReport = named(
  'ConditionReport',
  Type.Object({
    condition: Type.String({ description: 'The condition as it is understood' }),
    kind: Type.Enum([...conditionKinds], {
      description:
        'A state holds for a time, and fires when it becomes true. An instant fires at a moment',
    }),
    terms: Type.Array(
      Type.Object({
        term: Type.String(),
        kind: Type.Enum([...conditionKinds]),
        channels: Type.Array(Type.String(), {
          description: 'Selectors of the open channels that the term watches',
        }),
        databases: Type.Array(Type.String(), {
          description: 'Databases that have the signal of the term',
        }),
      }),
      { description: 'The parts of the condition, in the order of the text' },
    ),
    fired: counted('How often it fired from since_us to until_us'),
    last_fired_us: nullable(Type.Integer(), {
      description: 'When it last fired, as Unix time in microseconds; null if it did not',
    }),
    holds: nullable(Type.Boolean(), {
      description: 'Whether a state holds at until_us; null for an instant',
    }),
    since_us: unixUs(
      'First time that counts: up to a minute before the request, as far as the rings hold the channels',
    ),
    until_us: unixUs('Time of the request'),
    missed: counted('Events that were overwritten while they were read'),
  }),
);
export type ConditionReport = RecordOf<typeof ConditionReport>;
