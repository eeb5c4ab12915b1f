import { type Static, Type } from 'typebox';
import { named, nullable } from '../../base/schema/schemas.ts';
import { createdAtField, lastErrorField, SelectedChannel } from '../../transmit/record-fields.ts';
import { J1939NodeRecord, nameField } from '../claim-record.ts';
import { claimStates } from '../j1939/address-claim.ts';

export const J1939ClaimRecord = named(
  'J1939Claim',
  Type.Object({
    claim_id: Type.String(),
    ...SelectedChannel.properties,
    name: nameField,
    state: Type.Enum([...claimStates], {
      description:
        'claiming until no node has objected for 250 ms, then claimed; cannot_claim if a lower NAME has the address',
    }),
    address: nullable(Type.Integer({ minimum: 0, maximum: 253 }), {
      description: 'null if no address can be claimed',
    }),
    requested_address: Type.Integer({ minimum: 0, maximum: 253 }),
    last_error: lastErrorField,
    created_at_us: createdAtField,
  }),
);
export type J1939ClaimRecord = Static<typeof J1939ClaimRecord>;

export const J1939Addresses = named(
  'J1939Addresses',
  Type.Object({
    claims: Type.Array(J1939ClaimRecord, { description: 'Addresses that this daemon claims' }),
    nodes: Type.Array(J1939NodeRecord, {
      description: 'Nodes whose claims were seen on open channels, at most 512 per channel',
    }),
  }),
);
export type J1939Addresses = Static<typeof J1939Addresses>;
