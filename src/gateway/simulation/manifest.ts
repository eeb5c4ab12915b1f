import { type Static, Type } from 'typebox';
import { maxExtendedId } from '../../frame/frame.ts';
import { longestCycleUs } from '../../transmit/send-request.ts';
import { flag, integer, record } from '../project/fields.ts';
import { instanceNamePattern } from '../project/instance-name.ts';

/** Most messages of a manifest: whatever is sent on a channel is looked through for each frame. */
export const mostMessages = 256;

/** What a manifest says beside its messages. */
export const ManifestHeader = record({
  manifest: integer('Version of the format', 1, 1),
  name: Type.String({
    description: 'Name of the simulation',
    pattern: instanceNamePattern,
    'x-rule': 'must be 1 to 64 letters, digits and _ . -',
  }),
  channel: Type.String({
    description: 'Selector of the channel to send on, resolved at each start',
    minLength: 1,
    maxLength: 256,
  }),
});

/** A classic CAN frame that is sent periodically. */
export const ManifestMessage = record({
  id: integer('CAN identifier', 0, maxExtendedId),
  extended: flag('29 bits instead of 11', { default: false }),
  data: Type.String({
    description: 'Payload in hex',
    maxLength: 64,
    pattern: '^[ .:_-]*([0-9A-Fa-f]{2}[ .:_-]*){0,8}$',
    'x-rule': 'must be 0 to 8 bytes of two hexadecimal digits each, such as "DEAD"',
  }),
  period_ms: integer('Milliseconds from one frame to the next', 1, longestCycleUs / 1000),
});
export type ManifestMessage = Static<typeof ManifestMessage>;

/** A simulation as its file describes it, with every default filled in. */
export interface SimulationManifest extends Static<typeof ManifestHeader> {
  readonly messages: readonly ManifestMessage[];
}
