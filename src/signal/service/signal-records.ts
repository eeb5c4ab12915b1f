import { type Static, Type } from 'typebox';
import { named, nullable } from '../../base/schema/schemas.ts';
import { SignalSample } from '../live/sample-record.ts';

export const SignalPlan = named(
  'SignalPlan',
  Type.Object({
    plan_id: Type.String(),
    channel: Type.String({ description: 'The selector as it was given' }),
    selector: Type.String({ description: 'Stable selector of the channel' }),
    slot: Type.Integer({ minimum: 0 }),
    database: Type.String(),
    message: Type.String({ description: 'Name of the message' }),
    id: Type.Integer({ minimum: 0 }),
    extended: Type.Boolean(),
    pgn: nullable(Type.Integer({ minimum: 0 }), {
      description: 'J1939 parameter group whose frames are decoded; null: those of the identifier',
    }),
    source_address: nullable(Type.Integer({ minimum: 0, maximum: 255 }), {
      description: 'J1939 address whose frames are decoded; null: those of all',
    }),
    signals: Type.Array(Type.String()),
    omitted: Type.Array(Type.Object({ signal: Type.String(), reason: Type.String() }), {
      description: 'Signals that cannot be decoded, and why; the first of them',
    }),
    omitted_total: Type.Integer({ minimum: 0, description: 'How many there are' }),
    history: Type.Integer({ minimum: 1, description: 'Samples kept of each signal' }),
    frames: Type.Integer({ minimum: 0, description: 'Frames decoded so far' }),
    channel_open: Type.Boolean({ description: 'Whether the channel is still open' }),
  }),
);
export type SignalPlan = Static<typeof SignalPlan>;

export const SignalPlanPage = Type.Object({
  plans: Type.Array(SignalPlan),
  plan_total: Type.Integer({ minimum: 0 }),
  plan_offset: Type.Integer({ minimum: 0 }),
  plan_next_offset: Type.Integer({ minimum: 0 }),
  missed_events: Type.Integer({
    minimum: 0,
    description: 'Raw events that were lost before they could be decoded',
  }),
});
export type SignalPlanPage = Static<typeof SignalPlanPage>;

export const SignalHistory = named(
  'SignalHistory',
  Type.Object({
    samples: Type.Array(SignalSample),
    next_after: Type.Integer({ minimum: 0 }),
    oldest_available: Type.Integer({ minimum: 0 }),
    newest_available: Type.Integer({ minimum: 0 }),
  }),
);
export type SignalHistory = Static<typeof SignalHistory>;
