import { type Static, Type } from 'typebox';
import { counted, named, nullable } from '../../base/schema/schemas.ts';
import { lastErrorField } from '../../transmit/record-fields.ts';

const counts = {
  sent: counted('Frames that the channel took'),
  failed: counted('Times when the channel did not take the frame'),
  missed: counted('Times that passed unused, or while the last frame was waiting for the bus'),
};

const SimulationMessage = Type.Object({
  id: Type.Integer({ minimum: 0, description: 'CAN identifier' }),
  extended: Type.Boolean(),
  data: Type.String({ description: 'Payload in uppercase hex' }),
  period_ms: Type.Integer({ minimum: 1 }),
  ...counts,
  max_lateness_us: counted('Greatest lateness of a frame since the last start'),
  last_error: lastErrorField,
});

export const SimulationRecord = named(
  'Simulation',
  Type.Object({
    name: Type.String(),
    file: Type.String({ description: 'Where it was loaded from' }),
    channel: Type.String({ description: 'The selector of the manifest' }),
    resolved: nullable(Type.String(), {
      description: 'Stable selector of the channel of the last start; null before the first',
    }),
    state: Type.Enum(['loaded', 'starting', 'running', 'stopped']),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() }), {
      description: 'Why it stopped on its own; null if it did not',
    }),
    ...counts,
    memory_budget_bytes: counted('Charged for this simulation'),
    daemon_memory_budget_bytes: counted('Charged for all instances'),
    message_total: counted('Total number of messages'),
    message_offset: counted('Index of the first message of this page'),
    message_next_offset: counted('Index of the next page; the total after the last page'),
    messages: Type.Array(SimulationMessage),
  }),
);
export type SimulationRecord = Static<typeof SimulationRecord>;
