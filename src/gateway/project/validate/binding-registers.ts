import type { RowOf } from '../project.ts';
import type { CodecRow } from '../tables/codecs.ts';
import { bitsOf } from './codec-bits.ts';
import { addressesOf, directionOf, isOneBit, resourceBits } from './modbus-words.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';

type BindingRow = RowOf<'bindings'>;
type Resource = RowOf<'modbus_resources'>;

const registerBits = 16;

const countOf = (count: number, unit: string): string =>
  count === 1 ? `1 ${unit}` : `${count} ${unit}s`;

const sizeOf = (resource: Resource): string =>
  isOneBit(resource) ? 'one bit' : countOf(addressesOf(resource), 'register');

const checkCodec = (resource: Resource, codec: CodecRow, index: number, report: Report): void => {
  const bits = bitsOf(codec);
  const needed = resourceBits(resource);
  if (bits !== undefined && bits !== needed) {
    const flaw = `must have ${countOf(needed, 'bit')} for resource ${quoted(resource.id)}, which is ${sizeOf(resource)}; it has ${bits}`;
    report(index, 'codec', 'size_mismatch', flaw);
  }
  if (codec.kind !== 'linear' || bits === undefined || bits <= registerBits) return;
  if (codec.word_order === undefined) {
    const flaw = 'must have a word_order to be used for more than one register';
    report(index, 'codec', 'missing_field', flaw);
  }
};

/** The resource that tells whether another one is valid. */
const checkValidity = (
  links: ProjectLinks,
  binding: BindingRow,
  resource: Resource,
  index: number,
  report: Report,
): void => {
  const { validity_bit: id, direction } = binding;
  if (typeof id !== 'string') return;
  const bit = links.draft.tables.modbus_resources.get(id);
  if (bit === undefined) return;
  if (!isOneBit(bit)) {
    const flaw = `must be one bit: a coil, a discrete input or a register with bit_offset; ${quoted(id)} is not`;
    report(index, 'validity_bit', 'size_mismatch', flaw);
  }
  if (bit.endpoint !== resource.endpoint) {
    const flaw = `must be of endpoint ${quoted(resource.endpoint)}, as the resource is`;
    report(index, 'validity_bit', 'mixed_endpoints', flaw);
  }
  if (directionOf(bit) !== direction) {
    const flaw = `must be ${direction} like the binding; its access is ${bit.access}`;
    report(index, 'validity_bit', 'wrong_direction', flaw);
  }
};

/** A binding that is a Modbus resource. */
export const checkBindingRegisters = (
  links: ProjectLinks,
  binding: BindingRow,
  codec: CodecRow | undefined,
  index: number,
  report: Report,
): void => {
  for (const field of ['start_bit', 'mux'] as const) {
    if (binding[field] === undefined) continue;
    report(index, field, 'not_applicable', 'is only for bindings in a message or PDU');
  }
  if (typeof binding.validity_bit === 'number') {
    const flaw = 'must be the id of a one-bit resource, as the binding is a resource';
    report(index, 'validity_bit', 'wrong_type', flaw);
  }
  const resource = links.draft.tables.modbus_resources.get(binding.resource ?? '');
  if (resource === undefined) return;
  if (directionOf(resource) !== binding.direction) {
    const flaw = `must be ${binding.direction}, as the binding is; with access ${resource.access} it is ${directionOf(resource)}`;
    report(index, 'resource', 'wrong_direction', flaw);
  }
  if (codec) checkCodec(resource, codec, index, report);
  checkValidity(links, binding, resource, index, report);
};
