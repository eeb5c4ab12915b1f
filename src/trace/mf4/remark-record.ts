import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey } from '../channel-key.ts';
import { remarkField, remarkKind, remarkTextBytes } from './our-groups.ts';

const encoder = new TextEncoder();

const recordOf = (kind: number, fill?: (view: DataView) => void): Uint8Array => {
  const record = new Uint8Array(remarkField.end);
  record[remarkField.kind] = kind;
  fill?.(new DataView(record.buffer));
  return record;
};

/** Text has a zero at its end, and long text continues in the next record. */
export const encodeNoteRecords = (text: string, put: (record: Uint8Array) => void): void => {
  let rest = text.replaceAll('\0', ' ');
  do {
    const record = recordOf(remarkKind.note);
    const room = record.subarray(remarkField.text, remarkField.end - 1);
    const { read } = encoder.encodeInto(rest, room);
    rest = rest.slice(read);
    record[remarkField.isPart] = rest === '' ? 0 : 1;
    put(record);
  } while (rest !== '');
};

export const encodeNameRecord = (channel: number, bus: number, name: string): Uint8Array =>
  recordOf(remarkKind.channelName, (view) => {
    view.setUint16(remarkField.channel, channel, true);
    view.setUint8(remarkField.bus, bus);
    const text = new Uint8Array(view.buffer, remarkField.text, remarkTextBytes - 1);
    encoder.encodeInto(name.replaceAll('\0', ' '), text);
  });

const decoder = new TextDecoder();
/** More text than any remark of a recorder has. */
const maxNoteLength = 16_000;

/** Reads the remarks of a file record by record. */
export class RemarkReader {
  readonly names: Map<number, string>;
  #text = '';

  constructor(names: Map<number, string>) {
    this.names = names;
  }

  /** Returns a complete note; undefined after a part of one, and after a channel name. */
  take(record: Uint8Array, at: number): string | undefined {
    const text = textAt(record, at);
    if (record[at + remarkField.kind] === remarkKind.channelName) {
      const low = record[at + remarkField.channel] as number;
      const high = record[at + remarkField.channel + 1] as number;
      const bus = record[at + remarkField.bus] ?? busCode.can;
      if (text !== '') this.names.set(channelKey(low | (high << 8), bus), text);
      return undefined;
    }
    if (this.#text.length < maxNoteLength) this.#text += text;
    if (record[at + remarkField.isPart] === 1) return undefined;
    const whole = this.#text;
    this.#text = '';
    return whole;
  }
}

const textAt = (record: Uint8Array, at: number): string => {
  const from = at + remarkField.text;
  const bytes = record.subarray(from, at + remarkField.end);
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
};
