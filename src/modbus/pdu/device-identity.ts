import { invalidArgument } from '../../base/errors/busbar-error.ts';

export interface IdentityObject {
  readonly id: number;
  /** ASCII in standard objects, any bytes in vendor objects. */
  readonly value: Uint8Array;
}

export interface DeviceIdentity {
  readonly conformity: number;
  readonly objects: readonly IdentityObject[];
}

export const identityObjectIds = {
  vendor_name: 0,
  product_code: 1,
  revision: 2,
  vendor_url: 3,
  product_name: 4,
  model_name: 5,
  user_application_name: 6,
} as const;

export const lastBasicObject = 0x02;
export const lastRegularObject = 0x7f;

/** A longer object would not fit into any response. */
const maxObjectLength = 244;

/** Single objects can be requested too. */
const individualAccess = 0x80;

const levelOf = (id: number): number => {
  if (id <= lastBasicObject) return 1;
  return id <= lastRegularObject ? 2 : 3;
};

export const deviceIdentity = (objects: readonly IdentityObject[]): DeviceIdentity => {
  const sorted = [...objects].sort((one, other) => one.id - other.id);
  sorted.forEach(({ id, value }, index) => {
    if (!Number.isInteger(id) || id < 0 || id > 0xff) {
      throw invalidArgument('object_id', 'object_id is an integer from 0 to 255');
    }
    if (sorted[index + 1]?.id === id) {
      throw invalidArgument('object_id', `Object ${id} is given twice`, { object_id: id });
    }
    if (value.length > maxObjectLength) {
      throw invalidArgument('value', `Object ${id} has more than ${maxObjectLength} bytes`, {
        object_id: id,
        limit: maxObjectLength,
      });
    }
  });
  const level = sorted.reduce((highest, { id }) => Math.max(highest, levelOf(id)), 1);
  return { conformity: level | individualAccess, objects: sorted };
};
