import { LinearDecoder } from '../../codecs/decode-linear.ts';
import { formatOf, type Raw } from '../../codecs/encode-linear.ts';
import type { LinearCodec } from '../../project/tables/codecs.ts';
import type { ModbusResourceRow } from '../../project/tables/modbus-resources.ts';
import type { SignalType } from '../../project/tables/signals.ts';
import {
  bytesPerItem,
  itemBytesOf,
  putItems,
  registerField,
  registerPlaceOf,
} from '../register-field.ts';
import type { ClientWrite, ServerImage, ServerResource } from '../server-image.ts';

export type BoundAs = Partial<LinearCodec> & { readonly signal?: SignalType };

/** A server resource; without codecs it is the validity bit of another. */
export const serverResource = (
  fields: Partial<ModbusResourceRow>,
  ...codecs: readonly BoundAs[]
): Omit<ServerResource, 'at'> & { placedAt(at: number): ServerResource } => {
  const resource: ModbusResourceRow = {
    id: 'resource',
    endpoint: 'plc',
    table: 'holding',
    address: 0,
    access: 'external',
    ...fields,
  };
  const placedAt = (at: number): ServerResource => ({
    resource,
    at,
    bindings: codecs.map(({ signal = 'float64', ...of }) => {
      const format = formatOf({ ...plainCodec, ...of });
      return {
        field: registerField(registerPlaceOf(resource, format), at),
        decoder: new LinearDecoder(format, signal),
      };
    }),
  });
  return { ...placedAt(0), placedAt };
};

const plainCodec = { id: 'codec', kind: 'linear', raw: 'unsigned', factor: 1, offset: 0 } as const;

/** Consecutive resources. */
export const placed = (
  resources: readonly ReturnType<typeof serverResource>[],
): ServerResource[] => {
  let next = 0;
  return resources.map((resource) => {
    const at = next;
    next += itemBytesOf(resource.resource);
    return resource.placedAt(at);
  });
};

/** A server with all kinds of resources. */
export const plantResources = (): ServerResource[] =>
  placed([
    // 0: 0 to 100, and 255 for no value.
    serverResource(
      { address: 10 },
      { bit_length: 16, raw_max: '100', special: [{ raw: '255', state: 'not_available' }] },
    ),
    // 1: an integer of 64 bits.
    serverResource({ address: 11, count: 4 }, { raw: 'signed', bit_length: 64, signal: 'int64' }),
    // 2 and 3: bits of one word.
    serverResource({ address: 15, bit_offset: 0 }, { raw: 'bool', signal: 'bool' }),
    serverResource({ address: 15, bit_offset: 9 }, { raw: 'bool', signal: 'bool' }),
    // 4: a float whose raw value for an invalid signal is out of range.
    serverResource(
      { address: 20, count: 2 },
      { raw: 'float32', word_order: 'CDAB', raw_min: '-50', raw_max: '50', invalid_raw: '-999' },
    ),
    // 5: served.
    serverResource({ address: 22, access: 'serve' }, { bit_length: 16 }),
    // 6 and 7: coils, the second a validity bit.
    serverResource({ table: 'coil', address: 3 }, { raw: 'bool', signal: 'bool' }),
    serverResource({ table: 'coil', address: 4 }),
    // 8 to 10: served where no client can write, including one bit of a word.
    serverResource({ table: 'input', address: 0, count: 2, access: 'serve' }, { bit_length: 32 }),
    serverResource(
      { table: 'input', address: 2, bit_offset: 4, access: 'serve' },
      { raw: 'signed', bit_length: 1 },
    ),
    serverResource({ table: 'discrete', address: 7, access: 'serve' }, { raw: 'bool' }),
    // 11: one register with two bindings; the second has a step of one half.
    serverResource(
      { address: 30 },
      { raw: 'signed', bit_length: 16, raw_min: '-100' },
      { bit_length: 16, factor: 0.5, signal: 'uint64' },
    ),
    // 12: a coil that is served.
    serverResource({ table: 'coil', address: 5, access: 'serve' }, { raw: 'bool' }),
  ]);

/** Content of a write: resources with one raw value per binding; validity bits unchanged. */
export const writtenRaws = (
  image: ServerImage,
  resources: readonly ServerResource[],
  write: ClientWrite,
): (readonly Raw[])[] => {
  const brought: Raw[][] = [];
  image.spread(write, (index, items, first) => {
    const { resource, at, bindings } = resources[index] as ServerResource;
    const bytes = new Uint8Array(image.length);
    const size = bytesPerItem(resource);
    putItems(items, first, itemBytesOf(resource) / size, size, bytes, at);
    const raws = bindings.map(({ field }) => field.read(bytes, 0));
    brought.push([index, ...(raws.length > 0 ? raws : bytes.subarray(at, at + 1))]);
  });
  return brought;
};
