import { type Static, Type } from 'typebox';
import { named, nullable } from '../../base/schema/schemas.ts';
import { SignalSample } from '../live/sample-record.ts';

export const SignalPlan = named(
  'SignalPlan',
  Type.Object({
    plan_id: Type.String(),
    channel: Type.String({ description: 'Channel selector as given' }),
    selector: Type.String({ description: 'Stable selector of the channel' }),
    slot: Type.Integer({ minimum: 0 }),
    database: nullable(Type.String(), { description: 'Null if it decodes with several databases' }),
    databases: Type.Array(Type.String()),
    message: nullable(Type.String(), {
      description: 'Name of the message; null if the plan has several',
    }),
    messages: Type.Array(Type.String(), { description: 'Names of all messages of the plan' }),
    id: nullable(Type.Integer({ minimum: 0 }), { description: 'Null with several messages' }),
    extended: nullable(Type.Boolean(), { description: 'Null with several messages' }),
    pgn: nullable(Type.Integer({ minimum: 0 }), {
      description: 'J1939 parameter group that is decoded; null: frames are matched by identifier',
    }),
    source_address: nullable(Type.Integer({ minimum: 0, maximum: 255 }), {
      description: 'J1939 source address that is decoded; null: all',
    }),
    signals: Type.Array(Type.String()),
    omitted: Type.Array(Type.Object({ signal: Type.String(), reason: Type.String() }), {
      description: 'Signals that cannot be decoded, with the reason; only the first ones',
    }),
    omitted_total: Type.Integer({
      minimum: 0,
      description: 'Number of signals that cannot be decoded',
    }),
    history: Type.Integer({ minimum: 1, description: 'Samples retained per signal' }),
    frames: Type.Integer({ minimum: 0, description: 'Decoded frames' }),
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
    description: 'Events lost before decoding',
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
