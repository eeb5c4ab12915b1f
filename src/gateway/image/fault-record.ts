import { type Static, Type } from 'typebox';
import { counted, named } from '../../base/schema/schemas.ts';
import { FaultRuleRow } from '../project/tables/fault-rules.ts';

/** A fault rule of an instance, and how it is at the moment. */
export const GatewayFault = named(
  'GatewayFault',
  Type.Object({
    ...FaultRuleRow.properties,
    fired: counted('How often it has fired since the start, or since it was switched on'),
  }),
);
export type GatewayFault = Static<typeof GatewayFault>;
