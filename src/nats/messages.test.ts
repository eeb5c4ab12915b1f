import { describe, expect, it } from 'vitest';
import {
  type BenchMessage,
  gapMessage,
  messageHeaders,
  messageId,
  parseGap,
  parseHeaders,
} from './messages.ts';

const subject = 'busbar.lab.frames.can0';
const batch: BenchMessage = {
  kind: 'frames',
  subject,
  boot: 'b00t',
  first: 7,
  last: 9,
  count: 3,
  missed: 0,
  body: new Uint8Array(3),
};

const read = (message: BenchMessage) => {
  const headers = new Map(messageHeaders('lab', message));
  return parseHeaders((name) => headers.get(name) ?? '');
};

const rangeOf = ({ body: _, subject: __, ...range }: BenchMessage) => range;

describe('messages of a bench', () => {
  it('have an id of the bench, the boot and the first event', () => {
    expect(messageId('lab', batch)).toBe('lab.b00t.7');
  });

  it('have different ids for gaps of two channels, and for a gap and a batch', () => {
    const gap = { boot: 'b00t', first: 7, last: null, missed: null };
    const ids = [
      messageId('lab', batch),
      messageId('lab', gapMessage(subject, gap)),
      messageId('lab', gapMessage('busbar.lab.frames.can1', gap)),
    ];
    expect(ids).toEqual(['lab.b00t.7', 'lab.b00t.7.gap.can0', 'lab.b00t.7.gap.can1']);
  });

  it('have headers from which their range can be read again', () => {
    const gap = gapMessage(subject, { boot: 'b00t', first: 4, last: 6, missed: 2 });
    const end = gapMessage(subject, { boot: 'b00t', first: 4, last: null, missed: null });
    for (const message of [batch, gap, end]) expect(read(message)).toEqual(rangeOf(message));
  });

  it('are not read from headers of other programs', () => {
    const headers = new Map(messageHeaders('lab', batch));
    for (const [name, value] of [
      ['Busbar-Kind', 'other'],
      ['Busbar-Boot', ''],
      ['Busbar-First', '-1'],
      ['Busbar-Count', '1e3'],
    ] as const) {
      const changed = new Map([...headers, [name, value]]);
      expect(
        parseHeaders((each) => changed.get(each) ?? ''),
        name,
      ).toBeNull();
    }
  });

  it('say in the body of a gap what is missing', () => {
    const { body } = gapMessage(subject, { boot: 'b00t', first: 4, last: null, missed: 12 });
    expect(new TextDecoder().decode(body)).toBe('{"first":4,"last":null,"missed":12}');
    expect(parseGap(body)).toEqual({ first: 4, last: null, missed: 12 });
    for (const other of ['', '{}', 'null', '{"first":"4","last":null,"missed":1}']) {
      expect(parseGap(new TextEncoder().encode(other)), other).toBeNull();
    }
  });
});
