import { product } from '../../base/product.ts';
import { type DeviceIdentity, deviceIdentity, identityObjectIds } from '../pdu/device-identity.ts';

const text = new TextEncoder();

/** What our servers tell about themselves unless a map gives them another identity. */
export const productIdentity: DeviceIdentity = deviceIdentity([
  { id: identityObjectIds.vendor_name, value: text.encode(product.name) },
  { id: identityObjectIds.product_code, value: text.encode('busbar-modbus-server') },
  { id: identityObjectIds.revision, value: text.encode(product.version) },
  { id: identityObjectIds.product_name, value: text.encode(`${product.name} Modbus server`) },
]);
