import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../../base/schema/schemas.ts';

export const SignalSample = named(
  'SignalSample',
  Type.Object({
    sequence: Type.Integer({ minimum: 1, description: 'One counter over all plans' }),
    plan_id: Type.String(),
    signal: Type.String(),
    value: nullable(Type.String(), { description: 'Exact physical value; null if there is none' }),
    raw: Type.String({ description: 'Exact raw value' }),
    label: nullable(Type.String(), { description: 'Value description from the database' }),
    unit: Type.String(),
    valid: Type.Boolean({ description: 'Whether the value is within the limits of the signal' }),
    timestamp_us: Type.Integer({ minimum: 0, description: 'Unix time in microseconds' }),
    event_id: Type.Integer({ minimum: 0, description: 'Event that it was decoded from' }),
    mux: nullable(Type.String(), {
      description:
        'Raw value of the multiplexer that selects the signal, nested ones joined by dots; null if it is always present',
    }),
    source_address: nullable(Type.Integer({ minimum: 0, maximum: 255 }), {
      description: 'J1939 source address of the frame; null for other messages',
    }),
  }),
);
export type SignalSample = RecordOf<typeof SignalSample>;

export type Sample = Omit<SignalSample, 'plan_id'>;
