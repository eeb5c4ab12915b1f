import { type Static, Type } from 'typebox';
import { ErrorCodeSchema } from '../base/errors/error-schema.ts';
import { nullable } from '../base/schema/schemas.ts';
import { selectorKinds } from '../bench/selector.ts';

export const SelectedChannel = Type.Object({
  channel: Type.String({ description: 'Channel selector as given' }),
  selector_kind: Type.Enum([...selectorKinds]),
  resolved: nullable(Type.String(), {
    description: 'Physical selector that a logical network is bound to',
  }),
  selector: Type.String({ description: 'Stable selector of the channel' }),
  slot: Type.Integer({ minimum: 0 }),
});
export type SelectedChannel = Static<typeof SelectedChannel>;

export const offloadedField = Type.Boolean({
  description: 'Whether the task is offloaded to the device; otherwise the daemon runs it',
});

const LastError = Type.Object({ code: ErrorCodeSchema, message: Type.String() });
export type LastError = Static<typeof LastError>;

export const lastErrorField = nullable(LastError, {
  description: 'Reason why a frame could not be sent, last time',
});

export const createdAtField = Type.Integer({ description: 'Unix time in microseconds' });
