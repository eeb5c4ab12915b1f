import { bytesFor } from '../../../database/layout.ts';
import type { ByteOrder } from '../../../database/model.ts';
import type { RowOf } from '../project.ts';
import type { CodecRow } from '../tables/codecs.ts';
import { addressesOf, directionOf, isOneBit, resourceBits } from './modbus-words.ts';
import {
  type Container,
  hasOneOf,
  type ProjectLinks,
  quoted,
  type Report,
} from './project-links.ts';
import { bitsOf } from './value-rules.ts';

type BindingRow = RowOf<'bindings'>;

/** Returns the bit order of a codec in a frame. A single bit or a plugin's raw value needs none. */
const byteOrderOf = (codec: CodecRow): ByteOrder | undefined => {
  if (codec.kind === 'linear' && codec.byte_order !== undefined) return codec.byte_order;
  return codec.kind === 'native' || bitsOf(codec) === 1 ? 'intel' : undefined;
};

export interface BitField {
  readonly startBit: number;
  readonly length: number;
  readonly byteOrder: ByteOrder;
}

export const bitsOfBinding = (
  { start_bit }: BindingRow,
  codec: CodecRow | undefined,
): BitField | undefined => {
  const length = codec && bitsOf(codec);
  const byteOrder = codec && byteOrderOf(codec);
  if (start_bit === undefined || length === undefined || byteOrder === undefined) return undefined;
  return { startBit: start_bit, length, byteOrder };
};

const checkPlace = (
  binding: BindingRow,
  codec: CodecRow | undefined,
  { length }: Container,
  index: number,
  report: Report,
): void => {
  const { validity_bit } = binding;
  const bits = bitsOfBinding(binding, codec);
  if (bits !== undefined && bytesFor(bits) > length) {
    const error = `must leave room for ${bits.length} bits (${bits.byteOrder}) in ${length} bytes; they need ${bytesFor(bits)}`;
    report(index, 'start_bit', 'out_of_bounds', error);
  }
  if (typeof validity_bit === 'number' && validity_bit >= 8 * length) {
    report(index, 'validity_bit', 'out_of_bounds', `must be a bit of ${length} bytes`);
  }
};

type CheckBinding = (
  links: ProjectLinks,
  binding: BindingRow,
  codec: CodecRow | undefined,
  index: number,
  report: Report,
) => void;

const checkBindingBits: CheckBinding = (links, binding, codec, index, report) => {
  const container = links.containerOf(binding);
  const field = binding.message === undefined ? 'pdu' : 'message';
  if (container && container.message.direction !== binding.direction) {
    const error = `must be ${binding.direction}, as the binding is; it is ${container.message.direction}`;
    report(index, field, 'wrong_direction', error);
  }
  if (binding.start_bit === undefined) {
    report(index, 'start_bit', 'missing_field', `is required for a binding in a ${field}`);
  }
  if (typeof binding.validity_bit === 'string') {
    const error = `must be a bit number for a binding in a ${field}, without quotes`;
    report(index, 'validity_bit', 'wrong_type', error);
  }
  if (codec !== undefined && bitsOf(codec) !== undefined && byteOrderOf(codec) === undefined) {
    report(index, 'codec', 'missing_field', 'must have a byte_order to be used in a frame');
  }
  if (container) checkPlace(binding, codec, container, index, report);
};

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
    const error = `must have ${countOf(needed, 'bit')} for resource ${quoted(resource.id)}, which is ${sizeOf(resource)}; it has ${bits}`;
    report(index, 'codec', 'size_mismatch', error);
  }
  if (codec.kind !== 'linear' || bits === undefined || bits <= registerBits) return;
  if (codec.word_order === undefined) {
    const error = 'must have a word_order to be used for more than one register';
    report(index, 'codec', 'missing_field', error);
  }
};

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
    const error = `must be one bit: a coil, a discrete input or a register with bit_offset; ${quoted(id)} is not`;
    report(index, 'validity_bit', 'size_mismatch', error);
  }
  if (bit.endpoint !== resource.endpoint) {
    const error = `must be of endpoint ${quoted(resource.endpoint)}, as the resource is`;
    report(index, 'validity_bit', 'mixed_endpoints', error);
  }
  if (directionOf(bit) !== direction) {
    const error = `must be ${direction} like the binding; its access is ${bit.access}`;
    report(index, 'validity_bit', 'wrong_direction', error);
  }
};

const checkBindingRegisters: CheckBinding = (links, binding, codec, index, report) => {
  for (const field of ['start_bit', 'mux'] as const) {
    if (binding[field] === undefined) continue;
    report(index, field, 'not_applicable', 'is only for bindings in a message or PDU');
  }
  if (typeof binding.validity_bit === 'number') {
    const error = 'must be the id of a one-bit resource, as the binding is a resource';
    report(index, 'validity_bit', 'wrong_type', error);
  }
  const resource = links.draft.tables.modbus_resources.get(binding.resource ?? '');
  if (resource === undefined) return;
  if (directionOf(resource) !== binding.direction) {
    const error = `must be ${binding.direction}, as the binding is; with access ${resource.access} it is ${directionOf(resource)}`;
    report(index, 'resource', 'wrong_direction', error);
  }
  if (codec) checkCodec(resource, codec, index, report);
  checkValidity(links, binding, resource, index, report);
};

const targets = ['message', 'pdu', 'resource'] as const;

const codecOf = (
  links: ProjectLinks,
  binding: BindingRow,
  index: number,
  report: Report,
): CodecRow | undefined => {
  const { codecs, plugins } = links.draft.tables;
  const codec = codecs.get(binding.codec);
  if (codec?.kind === 'e2e') {
    const error = 'must be linear or native: an e2e codec protects, it holds no value';
    report(index, 'codec', 'wrong_kind', error);
    return undefined;
  }
  if (codec?.kind !== 'native') return codec;
  if (plugins.get(codec.plugin)?.kind === 'e2e') {
    report(index, 'codec', 'wrong_kind', 'must have a codec plugin, not e2e');
    return undefined;
  }
  return codec;
};

export const checkBindings = (links: ProjectLinks): void => {
  const report = links.reporter('bindings');
  links.draft.tables.bindings.rows.forEach((binding, index) => {
    const hasTarget = hasOneOf(binding, targets, index, report);
    const codec = codecOf(links, binding, index, report);
    if (!hasTarget) return;
    if (binding.resource === undefined) checkBindingBits(links, binding, codec, index, report);
    else checkBindingRegisters(links, binding, codec, index, report);
  });
};
