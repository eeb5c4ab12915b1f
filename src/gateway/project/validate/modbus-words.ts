import type { RowOf } from '../project.ts';
import type { Direction } from '../tables/messages.ts';

/** Fields of a resource that determine its items. */
export type Resource = Pick<
  RowOf<'modbus_resources'>,
  'table' | 'address' | 'count' | 'bit_offset' | 'access'
>;

export const isRegister = ({ table }: Resource): boolean =>
  table === 'holding' || table === 'input';

export const isOneBit = (resource: Resource): boolean =>
  !isRegister(resource) || resource.bit_offset !== undefined;

export const addressesOf = (resource: Resource): number =>
  isOneBit(resource) ? 1 : (resource.count ?? 1);

export const resourceBits = (resource: Resource): number =>
  isOneBit(resource) ? 1 : 16 * addressesOf(resource);

export const directionOf = ({ access }: Resource): Direction =>
  access === 'serve' || access === 'write' ? 'tx' : 'rx';
