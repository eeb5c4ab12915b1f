import { bytesFor } from '../../../database/layout.ts';
import type { ByteOrder } from '../../../database/model.ts';
import type { RowOf } from '../project.ts';
import type { CodecRow } from '../tables/codecs.ts';
import { bitsOf } from './codec-bits.ts';
import type { Container, ProjectLinks, Report } from './project-links.ts';

type BindingRow = RowOf<'bindings'>;

/** The order of a codec's bits in a frame; a single bit and a plugin's raw need none. */
export const byteOrderOf = (codec: CodecRow): ByteOrder | undefined => {
  if (codec.kind === 'linear' && codec.byte_order !== undefined) return codec.byte_order;
  return codec.kind === 'native' || bitsOf(codec) === 1 ? 'intel' : undefined;
};

/** Bits of a message or PDU, by where they begin. */
export interface BitField {
  readonly startBit: number;
  readonly length: number;
  readonly byteOrder: ByteOrder;
}

/** The bits of a binding; undefined as long as something about them is missing. */
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
    const flaw = `must leave room for ${bits.length} bits (${bits.byteOrder}) in ${length} bytes; they need ${bytesFor(bits)}`;
    report(index, 'start_bit', 'out_of_bounds', flaw);
  }
  if (typeof validity_bit === 'number' && validity_bit >= 8 * length) {
    report(index, 'validity_bit', 'out_of_bounds', `must be a bit of ${length} bytes`);
  }
};

/** A binding in a message or PDU. */
export const checkBindingBits = (
  links: ProjectLinks,
  binding: BindingRow,
  codec: CodecRow | undefined,
  index: number,
  report: Report,
): void => {
  const container = links.containerOf(binding);
  const field = binding.message === undefined ? 'pdu' : 'message';
  if (container && container.message.direction !== binding.direction) {
    const flaw = `must be ${binding.direction}, as the binding is; it is ${container.message.direction}`;
    report(index, field, 'wrong_direction', flaw);
  }
  if (binding.start_bit === undefined) {
    report(index, 'start_bit', 'missing_field', `is required for a binding in a ${field}`);
  }
  if (typeof binding.validity_bit === 'string') {
    const flaw = `must be a bit number for a binding in a ${field}, without quotes`;
    report(index, 'validity_bit', 'wrong_type', flaw);
  }
  if (codec !== undefined && bitsOf(codec) !== undefined && byteOrderOf(codec) === undefined) {
    report(index, 'codec', 'missing_field', 'must have a byte_order to be used in a frame');
  }
  if (container) checkPlace(binding, codec, container, index, report);
};
