import type { RowOf } from '../project.ts';
import type { Direction } from '../tables/messages.ts';

/** The part of a resource that says which items it has. */
export type Resource = Pick<
  RowOf<'modbus_resources'>,
  'table' | 'address' | 'count' | 'bit_offset' | 'access'
>;

export const isRegister = ({ table }: Resource): boolean =>
  table === 'holding' || table === 'input';

/** Whether a resource is one bit, in a bit table or in a register. */
export const isOneBit = (resource: Resource): boolean =>
  !isRegister(resource) || resource.bit_offset !== undefined;

export const addressesOf = (resource: Resource): number =>
  isOneBit(resource) ? 1 : (resource.count ?? 1);

export const resourceBits = (resource: Resource): number =>
  isOneBit(resource) ? 1 : 16 * addressesOf(resource);

/** Whether the gateway reads a resource or writes it. */
export const directionOf = ({ access }: Resource): Direction =>
  access === 'serve' || access === 'write' ? 'tx' : 'rx';
