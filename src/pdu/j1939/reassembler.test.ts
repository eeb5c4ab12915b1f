import { describe, expect, it } from 'vitest';
import { eventKindCode } from '../../frame/frm2-layout.ts';
import { frame, Listener } from '../testing/frames.ts';

const announcement = '1CECFF00#200E0002FFCAFE00';
const first = '1CEBFF00#0145F1BE00020500';
const second = '1CEBFF00#02F0FF7E6E000001';
const broadcast = [announcement, first, second];
const payload = '45F1BE00020500F0FF7E6E000001';

const request = '18EC8000#101E00050100EF00';
const clear = (next: number, packets = 1) =>
  `1CEC0080#11${packets.toString(16).padStart(2, '0')}0${next}FFFF00EF00`;
const packet = (number: number) => {
  const bytes = Array.from({ length: 7 }, (_, i) => (number - 1) * 7 + i + 1);
  const data = bytes.map((byte) => (byte > 30 ? 0xff : byte));
  return `1CEB8000#${Buffer.from([number, ...data]).toString('hex')}`;
};
const acknowledgement = '1CEC0080#131E0005FF00EF00';
const thirty = Buffer.from(Array.from({ length: 30 }, (_, i) => i + 1))
  .toString('hex')
  .toUpperCase();

describe('reassembly of broadcasts', () => {
  it('joins the packets and cuts the filling', () => {
    const { pdus } = new Listener().hear(...broadcast);
    expect(pdus).toMatchObject([
      {
        protocol: 'j1939',
        channel: 0,
        firstEventId: 1,
        lastEventId: 3,
        timestampUs: 1_150_000,
        durationUs: 100_000,
        frames: 3,
        length: 14,
        status: 'complete',
        findings: [],
        pgn: 0xfeca,
        source: 0,
        destination: 255,
        priority: 7,
        acknowledged: null,
      },
    ]);
    expect(
      Buffer.from(pdus[0]?.payload ?? [])
        .toString('hex')
        .toUpperCase(),
    ).toBe(payload);
  });

  it('completes nothing for swapped packets', () => {
    const listener = new Listener().hear(announcement, second, first).wait(5000);
    expect(listener.statuses).toEqual(['lost']);
    expect(listener.findings).toEqual(['sequence_gap']);
  });

  it('ends as lost at a missing packet, and reports the rest of it nowhere else', () => {
    const long = '1CECFF00#20160004FFCAFE00';
    const third = '1CEBFF00#0300000000000000';
    const listener = new Listener().hear(long, first, third, third).wait(5000);
    expect(listener.statuses).toEqual(['lost']);
    expect(listener.pdus[0]).toMatchObject({ frames: 3, length: 22, pgn: 0xfeca });
  });

  it('allows a packet twice if its data are the same', () => {
    const listener = new Listener().hear(announcement, first, first, second, second).wait(5000);
    expect(listener.payloads).toEqual([payload]);
    expect(listener.findings).toEqual(['repeat']);
    expect(listener.statuses).toEqual(['complete']);
  });

  it('ends as conflict at a packet repeated with other data', () => {
    const other = '1CEBFF00#0145F1BE00020501';
    const listener = new Listener().hear(announcement, first, other, second).wait(5000);
    expect(listener.statuses).toEqual(['conflict']);
  });

  it.each([
    [749, ['complete']],
    [750, ['complete']],
    [751, ['timeout', 'orphan']],
  ])('with %i ms between two packets ends as %j', (ms, statuses) => {
    const listener = new Listener().hear(announcement, first, frame(second, ms)).wait(5000);
    expect(listener.statuses).toEqual(statuses);
  });

  it('restarts when the same announcement is repeated', () => {
    const listener = new Listener().hear(announcement, first, ...broadcast);
    expect(listener.payloads).toEqual([payload]);
    expect(listener.findings).toEqual(['restarted']);
  });

  it('reports a broadcast that another one replaced', () => {
    const other = '1CECFF00#20110003FFCBFE00';
    const listener = new Listener().hear(announcement, first, other);
    expect(listener.statuses).toEqual(['replaced']);
    expect(listener.pdus[0]).toMatchObject({ pgn: 0xfeca, frames: 2 });
  });

  it('keeps broadcasts of several sources apart', () => {
    const of = (text: string, source: string) => text.replace('FF00#', `FF${source}#`);
    const listener = new Listener().hear(
      ...broadcast.flatMap((text) => [of(text, '01'), of(text, '02')]),
    );
    expect(listener.payloads).toEqual([payload, payload]);
    expect(listener.pdus.map(({ source }) => source)).toEqual([1, 2]);
  });

  it('takes any priority of the transport frames', () => {
    const listener = new Listener().hear(...broadcast.map((text) => text.replace('1C', '18')));
    expect(listener.payloads).toEqual([payload]);
    expect(listener.pdus[0]?.priority).toBe(6);
  });

  it('takes a frame once that the channel reports as sent and as received', () => {
    const listener = new Listener().hear(
      ...broadcast.flatMap((text) => [
        frame(text, 50, eventKindCode.tx_complete),
        frame(text, 1, eventKindCode.rx_frame),
      ]),
    );
    expect(listener.wait(5000).payloads).toEqual([payload]);
    expect(listener.pdus[0]).toMatchObject({ frames: 3, findings: [] });
    expect(listener.statuses).toEqual(['complete']);
  });

  it.each([
    ['too few packets', '1CECFF00#200E0001FFCAFE00', 'bad_announcement'],
    ['too many packets', '1CECFF00#200E0003FFCAFE00', 'bad_announcement'],
    ['8 bytes, which fit a frame', '1CECFF00#20080002FFCAFE00', 'bad_announcement'],
    ['1786 bytes', '1CECFF00#20FA0600FFCAFE00', 'bad_announcement'],
    ['7 bytes', '1CECFF00#200E0002FFCAFE', 'bad_length'],
    ['one address', '1CEC8000#200E0002FFCAFE00', 'bad_destination'],
    ['a request to all', '1CECFF00#100E0002FFCAFE00', 'bad_destination'],
  ])('does not begin with an announcement of %s', (_, text, code) => {
    const listener = new Listener().hear(text, first, second).wait(5000);
    expect(listener.payloads).toEqual([]);
    expect(listener.findings).toEqual([code]);
    expect(new Set(listener.statuses)).toEqual(new Set(['orphan']));
  });

  it('counts packets without announcement as one orphan', () => {
    const listener = new Listener().hear(first, second).wait(5000);
    expect(listener.pdus).toMatchObject([
      { status: 'orphan', frames: 2, length: 0, pgn: null, source: 0, destination: 255 },
    ]);
  });

  it('ends as lost at a packet without 8 bytes', () => {
    const listener = new Listener().hear(announcement, first, '1CEBFF00#02F0FF7E6E0000').wait(5000);
    expect(listener.statuses).toEqual(['lost']);
    expect(listener.findings).toEqual(['bad_length']);
  });

  it('ends as lost where events are missing, and as open where the trace ends', () => {
    const listener = new Listener().hear(announcement, first);
    listener.reassembler.missed(9);
    listener.hear(second, announcement);
    listener.reassembler.close();
    expect(listener.statuses).toEqual(['lost', 'open']);
    expect(listener.pdus[0]?.findings).toEqual([{ code: 'events_missing', eventId: 9 }]);
  });
});

describe('reassembly of transfers to one address', () => {
  it('joins the packets of a transfer with one packet per CTS', () => {
    const listener = new Listener();
    listener.hear(request);
    for (let number = 1; number <= 5; number++) listener.hear(clear(number), packet(number));
    expect(listener.payloads).toEqual([thirty]);
    expect(listener.pdus[0]).toMatchObject({
      pgn: 0xef00,
      source: 0,
      destination: 0x80,
      priority: 6,
      frames: 11,
      acknowledged: false,
    });
    listener.hear(acknowledgement);
    expect(listener.pdus[0]?.acknowledged).toBe(true);
    expect(listener.pdus).toHaveLength(1);
  });

  it('needs no control frame of the receiver, and no order', () => {
    const listener = new Listener().hear(request, ...[3, 1, 5, 4, 2].map(packet));
    expect(listener.payloads).toEqual([thirty]);
  });

  it('ignores equal repeats and ends as conflict at different ones', () => {
    const repeated = new Listener().hear(
      request,
      packet(1),
      packet(1),
      ...[2, 3, 4, 5].map(packet),
    );
    expect(repeated.payloads).toEqual([thirty]);
    const other = packet(1).replace('0102', '0103');
    const conflict = new Listener().hear(request, packet(1), other, ...[2, 3, 4, 5].map(packet));
    expect(conflict.wait(5000).statuses).toEqual(['conflict']);
  });

  it('ends as lost when the receiver acknowledges what was not seen', () => {
    const listener = new Listener().hear(request, packet(1), acknowledgement);
    expect(listener.statuses).toEqual(['lost']);
    expect(listener.findings).toEqual(['acknowledged_incomplete']);
  });

  it.each(['1CEC0080#FF03FFFFFF00EF00', '1CEC8000#FF03FFFFFF00EF00'])(
    'ends as aborted by %s',
    (abort) => {
      const listener = new Listener().hear(request, packet(1), abort, packet(2)).wait(5000);
      expect(listener.statuses).toEqual(['aborted']);
      expect(listener.findings).toEqual(['abort_timeout']);
    },
  );

  it('continues after an abort of another group', () => {
    const listener = new Listener().hear(request, packet(1), '1CEC0080#FF03FFFFFF00EE00');
    expect(listener.hear(...[2, 3, 4, 5].map(packet)).payloads).toEqual([thirty]);
  });

  it('does not fill a new transfer with the packets of the one that goes on', () => {
    const other = request.replace('00EF00', '00EE00');
    const listener = new Listener().hear(
      request,
      other,
      clear(1, 5),
      ...[1, 2, 3, 4, 5].map(packet),
    );
    expect(listener.wait(5000).statuses).toEqual(['replaced', 'lost']);
    expect(listener.findings).toEqual(['pgn_differs']);
  });

  it.each([
    ['after the request', [request], 1250],
    ['after a CTS', [request, clear(1, 5)], 1250],
    ['after a CTS of 0', [request, clear(1, 0)], 1050],
    ['within a block', [request, clear(1, 5), packet(1)], 750],
    ['after the last packet of a block', [request, clear(1), packet(1)], 1250],
  ])('expires %s when more than its time passed', (_, frames, ms) => {
    expect(new Listener().hear(...frames).wait(ms).statuses).toEqual([]);
    expect(new Listener().hear(...frames).wait(ms + 1).statuses).toEqual(['timeout']);
  });

  it('waits for the acknowledgement if asked to', () => {
    const listener = new Listener({ awaitsAcknowledgement: true });
    listener.hear(request, ...[1, 2, 3, 4, 5].map(packet));
    expect(listener.pdus).toEqual([]);
    listener.hear(acknowledgement);
    expect(listener.pdus).toMatchObject([{ status: 'complete', acknowledged: true }]);
    listener.hear(request, ...[1, 2, 3, 4, 5].map(packet)).wait(1251);
    expect(listener.pdus[1]).toMatchObject({ status: 'complete', acknowledged: false });
    expect(listener.payloads).toEqual([thirty, thirty]);
  });

  it('ends the transfer that expires first when the memory is full', () => {
    const listener = new Listener({ maxBytes: 40 });
    listener.hear(request, request.replace('8000#', '8100#'));
    expect(listener.statuses).toEqual(['lost']);
    expect(listener.findings).toEqual(['memory_limit']);
    expect(listener.pdus[0]?.destination).toBe(0x80);
  });

  it('bounds the number of sessions', () => {
    const listener = new Listener({ maxSessions: 16 });
    for (let node = 0; node < 100; node++) {
      const source = node.toString(16).padStart(2, '0');
      listener.hear(frame(request.replace('8000#', `80${source}#`), 0));
    }
    expect(listener.statuses).toHaveLength(84);
  });
});

describe('reassembly of extended transfers', () => {
  const size = 1800;
  const data = Uint8Array.from({ length: 258 * 7 }, (_, i) =>
    i < size ? (i * 7 + 3) & 0xff : 0xff,
  );
  const hex = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('hex');
  const group = [0x00, 0xef, 0x00];
  const sized = (code: number) => hex([code, size & 0xff, size >> 8, 0, 0, ...group]);
  const begin = `18C88000#${sized(0x14)}`;
  const end = `18C80080#${sized(0x17)}`;
  const cts = (packets: number, next: number) =>
    `18C80080#${hex([0x15, packets, next & 0xff, next >> 8, 0, ...group])}`;
  const dpo = (packets: number, offset: number) =>
    `18C88000#${hex([0x16, packets, offset & 0xff, offset >> 8, 0, ...group])}`;
  const block = (offset: number, packets: number) =>
    Array.from({ length: packets }, (_, i) => {
      const from = (offset + i) * 7;
      return frame(`18C78000#${hex([i + 1, ...data.subarray(from, from + 7)])}`, 1);
    });
  const whole = Buffer.from(data.subarray(0, size)).toString('hex').toUpperCase();
  const blockAt = (offset: number, packets: number) => [
    cts(packets, offset + 1),
    dpo(packets, offset),
    ...block(offset, packets),
  ];

  it('joins blocks by the offsets before them', () => {
    const listener = new Listener().hear(begin, ...blockAt(0, 255), ...blockAt(255, 3), end);
    expect(listener.payloads).toEqual([whole]);
    expect(listener.pdus[0]).toMatchObject({ length: size, acknowledged: true, pgn: 0xef00 });
  });

  it('joins a block that was sent again', () => {
    const frames = [begin, ...blockAt(0, 200), ...blockAt(100, 155), ...blockAt(255, 3)];
    expect(new Listener().hear(...frames).payloads).toEqual([whole]);
  });

  it('ends as lost at data without an offset', () => {
    const listener = new Listener().hear(begin, ...blockAt(0, 255), cts(3, 256), ...block(255, 3));
    expect(listener.wait(5000).statuses).toEqual(['lost']);
    expect(listener.findings).toEqual(['data_without_offset']);
  });

  it.each([
    ['beyond the message', dpo(4, 255), 'bad_offset'],
    ['without packets', dpo(0, 0), 'bad_offset'],
    ['of another group', dpo(3, 0).replace('00ef00', '00ee00'), 'pgn_differs'],
  ])('ends as lost at an offset %s', (_, offset, code) => {
    const listener = new Listener().hear(begin, offset).wait(5000);
    expect(listener.statuses).toEqual(['lost']);
    expect(listener.findings).toEqual([code]);
  });

  it('reports a payload that is too long, once', () => {
    const listener = new Listener({ maxPayload: 1799 });
    listener.hear(begin, ...blockAt(0, 255), ...blockAt(255, 3), end).wait(5000);
    expect(listener.pdus).toMatchObject([{ status: 'too_long', length: size }]);
  });

  it('runs next to a short transfer between the same nodes', () => {
    const listener = new Listener().hear(begin, request, ...blockAt(0, 255), packet(1));
    listener.hear(...[2, 3, 4, 5].map(packet), ...blockAt(255, 3));
    expect(listener.payloads).toEqual([thirty, whole]);
  });
});

describe('single frames', () => {
  it('are PDUs if they are DM1 or DM2', () => {
    const listener = new Listener().hear('18FECA00#00FF6E000001', '18FECB21#00FF00000000FFFF');
    expect(listener.pdus).toMatchObject([
      { status: 'complete', frames: 1, length: 6, pgn: 0xfeca, source: 0, priority: 6 },
      { status: 'complete', frames: 1, length: 8, pgn: 0xfecb, source: 0x21 },
    ]);
  });

  it('of other groups, or with other pages, are none', () => {
    const listener = new Listener().hear('18FEEE00#0011223344556677', '1AECFF00#200E0002FFCAFE00');
    expect(listener.wait(5000).pdus).toEqual([]);
  });
});
