import { describe, expect, it } from 'vitest';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { isotpPair } from './addressing.ts';
import { counting, type GivenFrame, IsotpRig } from './testing/isotp-rig.ts';

const rig = (...frames: readonly (GivenFrame | string)[]) => new IsotpRig().hear(...frames);

const at = (ms: number, text: string): GivenFrame => ({ text, ms });

/** A payload of 20 bytes from 7E8: a first frame, flow control, two frames. */
const first = '7E8#1014010203040506';
const clear = '7E0#300000';
const second = '7E8#210708090A0B0C0D';
const third = '7E8#220E0F1011121314';
const whole = `7E8 ${counting(20)}`;

/** Frames of a long payload after its first 6 bytes. */
const consecutive = (id: string, length: number): string[] => {
  const data = counting(length).slice(12);
  return Array.from({ length: Math.ceil(data.length / 14) }, (_, index) => {
    const sequence = ((index + 1) & 0x0f).toString(16);
    return `${id}#2${sequence}${data.slice(index * 14, index * 14 + 14)}`;
  });
};

const fd = (head: string, bytes: string, length: number): string =>
  (head + bytes).padEnd(head.indexOf('##1') * 2 + length * 2, 'C');

describe('messages on legislated and fixed identifiers', () => {
  it.each([
    ['a single frame', ['7E0#0322F190'], ['7E0 22F190']],
    ['a padded single frame', ['7E0#0322F190CCCCCCCC'], ['7E0 22F190']],
    ['8 bytes', ['7E0#1008010203040506', '7E8#300800', '7E0#210708'], [`7E0 ${counting(8)}`]],
    [
      '20 bytes with a block size of 2',
      [first, '7E0#300205', second, { text: third, ms: 5 }],
      [whole],
    ],
    [
      '4095 bytes',
      ['7E0#1FFF010203040506', '7E8#300000', ...consecutive('7E0', 4095)],
      [`7E0 ${counting(4095)}`],
    ],
    [
      '4096 bytes, in the escape form',
      [
        '7E0#1000000010000102',
        '7E8#300000',
        ...consecutive('7E0', 4100).map((_, index) => {
          const data = counting(4096).slice(4 + index * 14, 18 + index * 14);
          return `7E0#2${((index + 1) & 0x0f).toString(16)}${data}`;
        }),
      ].filter((text) => !/#2.$/.test(text)),
      [`7E0 ${counting(4096)}`],
    ],
    [
      '10 bytes with fixed addressing',
      ['18DA10F1#100A010203040506', '18DAF110#300800', '18DA10F1#210708090A'],
      [`18DA10F1 ${counting(10)}`],
    ],
    [
      '10 bytes with fixed addressing and other priorities',
      ['0CDA10F1#100A010203040506', '18DAF110#300800', '0CDA10F1#210708090A'],
      [`CDA10F1 ${counting(10)}`],
    ],
    [
      '10 bytes with mixed addressing in 29 bits',
      ['18CE10F1#99100A0102030405', '18CEF110#99300800', '18CE10F1#9921060708090A'],
      [`18CE10F1.99 ${counting(10)}`],
    ],
    ['functional requests', ['7DF#0201 0C', '18DB33F1#023E80'], ['7DF 010C', '18DB33F1 3E80']],
    [
      'the VIN of the facts',
      [
        ...['7E0#0322F190', '7E8#101462F190574241', '7E0#300000'],
        ...['7E8#2142555342415230', '7E8#2230303030303031'],
      ],
      ['7E0 22F190', `7E8 62F190${Buffer.from('WBABUSBAR00000001').toString('hex').toUpperCase()}`],
    ],
    [
      'responses after a pending one',
      ['7E0#0431010203', '7E8#037F3178', '7E8#0571010203FF'],
      ['7E0 31010203', '7E8 7F3178', '7E8 71010203FF'],
    ],
  ])('are heard: %s', (_, frames, heard) => {
    const listener = rig(...frames);
    expect(listener.heard).toEqual(heard);
    expect(listener.findings).toEqual([]);
  });

  it.each([
    ['7 bytes in the short form', [`7E0##107${counting(7)}`], 7],
    ['8 bytes', [fd('7E0##1', `0008${counting(8)}`, 12)], 8],
    ['11 bytes', [fd('7E0##1', `000B${counting(11)}`, 16)], 11],
    ['62 bytes', [`7E0##1003E${counting(62)}`], 62],
    ['63 bytes', [`7E0##1103F${counting(62)}`, '7E8##1300000', `7E0##1213F`], 63],
    [
      '200 bytes',
      [
        `7E0##110C8${counting(62)}`,
        '7E8##1300000',
        `7E0##121${counting(125).slice(124)}`,
        `7E0##122${counting(188).slice(250)}`,
        fd('7E0##1', `23${counting(200).slice(376)}`, 16),
      ],
      200,
    ],
    ['11 bytes with frames of 12', [`7E0##1100B${counting(10)}`, '7E8##1300000', '7E0##1210B'], 11],
  ])('are heard on CAN FD: %s', (_, frames, length) => {
    expect(rig(...frames).heard).toEqual([`7E0 ${counting(length)}`]);
  });

  it('has the frames, events and times of the whole conversation', () => {
    const [pdu] = rig('7E0#0322F190', first, clear, second, third).pdus.slice(1);
    expect(pdu).toMatchObject({
      ...{ protocol: 'isotp', channel: 0, id: 0x7e8, extended: false, address: null },
      ...{ firstEventId: 2, lastEventId: 5, frames: 4, length: 20 },
      ...{ timestampUs: 1_005_000, durationUs: 3000, pgn: null, source: null },
    });
  });

  it('needs no flow control, for example in a trace of one direction', () => {
    const listener = rig(first, second, third);
    expect([listener.heard, listener.findings]).toEqual([[whole], []]);
  });

  it('ignores what carries no message', () => {
    const none = ['7E8#', '7E8#00', '7E8#08010203040506', '7E8#4001020304050607', clear, second];
    const listener = rig(...none, '7DF#1014010203040506', '7E8#10', '7E8#1008010203');
    expect(listener.heard).toEqual([]);
    expect(rig(first, '7E8#40', clear, second, third).heard).toEqual([whole]);
  });

  it('never mixes two nodes that answer at the same time', () => {
    const listener = rig(
      ...['7DF#0209 02', first, '7E9#1014F1F2F3F4F5F6', clear, '7E1#300000', second],
      ...['7E9#21F7F8F9FAFBFCFD', '7E9#22E1E2E3E4E5E6E7', third],
    );
    expect(listener.heard).toEqual([
      '7DF 0902',
      '7E9 F1F2F3F4F5F6F7F8F9FAFBFCFDE1E2E3E4E5E6E7',
      whole,
    ]);
  });

  it('hears both directions of a pair at the same time', () => {
    const listener = rig(
      ...[first, '7E0#1008F1F2F3F4F5F6', clear, '7E8#300000'],
      ...[second, '7E0#21F7F8', third],
    );
    expect(listener.heard).toEqual(['7E0 F1F2F3F4F5F6F7F8', whole]);
  });

  it('keeps the channels apart', () => {
    const on = (channel: number, text: string): GivenFrame => ({ text, channel });
    const listener = rig(
      ...[on(0, first), on(1, first), on(0, clear), on(1, clear), on(1, second)],
      ...[on(0, second), on(0, third)],
    );
    expect(listener.pdus.map(({ channel }) => channel)).toEqual([0]);
    listener.listener.close(1);
    expect(listener.heard).toEqual([whole, '7E8 open']);
  });
});

describe('a frame that is reported as sent and as received', () => {
  const twice = (text: string): GivenFrame[] => [
    { text, kind: 'tx_complete' },
    { text, ms: 0.1 },
  ];

  it('is counted once', () => {
    const listener = rig(...[first, clear, second, third, '7E0#023E00'].flatMap(twice));
    expect(listener.heard).toEqual([whole, '7E0 3E00']);
    expect(listener.findings).toEqual([]);
    expect(listener.pdus[0]?.frames).toBe(4);
  });

  it('is counted once in a pair that is only just found', () => {
    const frames = ['123#1014010203040506', '456#300000', '123#210708090A0B0C0D'];
    const listener = rig(...[...frames, '123#220E0F1011121314'].flatMap(twice));
    expect(listener.heard).toEqual([`123 ${counting(20)}`]);
    expect(listener.findings).toEqual([]);
  });
});

describe('findings', () => {
  it.each([
    ['a lost frame', [first, clear, third], ['7E8 lost'], ['sequence_gap 3']],
    ['a repeated frame', [first, clear, second, second], ['7E8 lost'], ['repeat 4']],
    [
      'a sequence number again, with other data',
      [first, clear, second, '7E8#21FFFFFFFFFFFFFF'],
      ['7E8 lost'],
      ['sequence_gap 4'],
    ],
    ['a frame that is too short', [first, clear, '7E8#21070809'], ['7E8 lost'], ['bad_length 3']],
    [
      'a frame that is longer than the first',
      [first, clear, '7E8##1210708090A0B0C0D0E0F1011'],
      ['7E8 lost'],
      ['bad_length 3'],
    ],
    [
      'flow control without a use',
      [first, clear, second, clear, third],
      ['7E8 lost'],
      ['flow_unexpected 4'],
    ],
    [
      'flow control before the end of a block',
      [first, '7E0#300300', second, '7E0#300300', third],
      ['7E8 lost'],
      ['flow_unexpected 4'],
    ],
    ['overflow', [first, '7E0#320000', second], ['7E8 aborted'], ['flow_overflow 2']],
    ['a reserved status', [first, '7E0#350000'], ['7E8 aborted'], ['flow_invalid 2']],
    ['late flow control', [first, at(1001, clear), second, third], [whole], ['flow_late 2']],
    [
      'late flow control after a block',
      [first, '7E0#300100', second, at(1200, '7E0#300100'), third],
      [whole],
      ['flow_late 4'],
    ],
    [
      'a block without its flow control',
      [first, '7E0#300100', second, third],
      [whole],
      ['flow_missing 4'],
    ],
    [
      'frames that come earlier than STmin',
      [first, '7E0#300005', at(0.1, second), at(4.999, third)],
      [whole],
      ['st_min_violated 4'],
    ],
    [
      'STmin in microseconds',
      [first, '7E0#3000F5', second, at(0.4, third)],
      [whole],
      ['st_min_violated 4'],
    ],
    [
      'a reserved STmin, which counts as 127 ms',
      [first, '7E0#300080', second, at(126, third)],
      [whole],
      ['st_min_reserved 2', 'st_min_violated 4'],
    ],
    [
      'a first frame for what a single frame holds',
      ['7E8#1007010203040506', clear, '7E8#2107'],
      [`7E8 ${counting(7)}`],
      ['first_frame_short 1'],
    ],
    [
      'a first frame that is all',
      ['7E8#1005010203040506'],
      [`7E8 ${counting(5)}`],
      ['first_frame_short 1'],
    ],
    [
      'the escape form for a short payload',
      [
        '7E8#1000000000140102',
        clear,
        '7E8#2103040506070809',
        '7E8#220A0B0C0D0E0F10',
        '7E8#2311121314',
      ],
      [whole],
      ['first_frame_short 1'],
    ],
  ])('include %s', (_, frames, heard, findings) => {
    const listener = rig(...frames);
    expect(listener.heard).toEqual(heard);
    expect(listener.findings).toEqual(findings);
  });

  it.each([
    ['gaps of STmin', [first, '7E0#300005', second, at(5, third)]],
    ['any pause at the end of a block', [first, '7E0#30017F', second, '7E0#30017F', third]],
    ['flow control that says wait', [first, at(900, '7E0#310000'), at(900, clear), second, third]],
    ['flow control after half a second', [first, at(999, clear), at(999, second), third]],
    ['values that a later flow control lowers', [first, '7E0#30010A', second, clear, third]],
  ])('do not include %s', (_, frames) => {
    const listener = rig(...frames);
    expect([listener.heard, listener.findings]).toEqual([[whole], []]);
  });

  it('are 32 at most', () => {
    const frames = consecutive('7E8', 1000).map((text) => at(1, text));
    const listener = rig('7E8#13E8010203040506', '7E0#300002', ...frames);
    expect(listener.heard).toEqual([`7E8 ${counting(1000)}`]);
    expect(listener.findings).toHaveLength(32);
  });
});

describe('messages that end early', () => {
  it.each([
    ['a single frame', [first, clear, '7E8#023E00'], ['7E8 replaced', '7E8 3E00']],
    ['a first frame', [first, clear, first, clear, second, third], ['7E8 replaced', whole]],
    [
      'a first frame after the nodes have given up',
      [first, at(1500, first), clear, second, third],
      ['7E8 timeout', whole],
    ],
    ['a frame that comes too late', [first, clear, at(1001, second), third], ['7E8 timeout']],
  ])('are ended by %s', (_, frames, heard) => {
    expect(rig(...frames).heard).toEqual(heard);
  });

  it('time out without consecutive frames after 1 s, and without flow control after 3 s', () => {
    expect(rig(first, clear).wait(1000).heard).toEqual([]);
    expect(rig(first, clear).wait(1001).heard).toEqual(['7E8 timeout']);
    expect(rig(first).wait(3000).heard).toEqual([]);
    expect(rig(first).wait(3001).heard).toEqual(['7E8 timeout']);
  });

  it('are open at the end, or overdue', () => {
    const open = rig(first, '7E1#1014010203040506', '7E9#300000');
    open.listener.close(undefined, open.timeUs);
    expect(open.heard).toEqual(['7E8 open', '7E1 open']);
    const overdue = rig(first);
    overdue.listener.close(undefined, overdue.timeUs + 1_000_001);
    expect(overdue.heard).toEqual(['7E8 timeout']);
  });

  it('are lost with events that were lost', () => {
    const listener = rig(first, clear);
    listener.listener.missed(9);
    listener.hear(second, third);
    expect(listener.heard).toEqual(['7E8 lost']);
    expect(listener.findings).toEqual(['events_missing 9']);
  });
});

describe('bounds', () => {
  it('reports a payload that is too long, and takes no memory for it', () => {
    const listener = rig('7E8#1000FFFFFFFF0102', clear, '7E8#2103040506070809', '7E8#023E00');
    expect(listener.heard).toEqual(['7E8 too_long', '7E8 3E00']);
    expect(listener.pdus[0]?.length).toBe(0xffff_ffff);
  });

  it('ends the oldest message for another one', () => {
    const listener = new IsotpRig({ maxMessages: 2 });
    listener.hear(...['0', '1', '2'].map((digit) => `7E${digit}#1014010203040506`));
    expect(listener.heard).toEqual(['7E0 lost']);
    expect(listener.findings).toEqual(['memory_limit 3']);
  });

  it('ends a message whose data have no room', () => {
    const listener = new IsotpRig({ maxBytes: 10_000 });
    listener.hear('7E0#1FFF010203040506', '7E1#1FFF010203040506', '7E2#1FFF010203040506');
    expect(listener.heard).toEqual(['7E0 lost']);
    const alone = new IsotpRig({ maxBytes: 5000 });
    alone.hear('7E0#1000000020000102', ...consecutive('7E0', 8192));
    expect(alone.heard).toEqual(['7E0 lost']);
  });

  it('survives a first frame on each of 100,000 addresses', () => {
    const listener = new IsotpRig();
    const bytes = Buffer.from('9910200102030405', 'hex');
    const { frame } = listener.listener;
    Object.assign(frame, { bytes, length: 8, extended: true, timestampUs: 1_000_000, eventId: 1 });
    for (let number = 0; number < 100_000; number++) {
      bytes[0] = number >> 16;
      frame.id = 0x18ce_0000 + (number & 0xffff);
      listener.listener.take(busCode.can);
      if (listener.pdus.length > 10_000) listener.pdus.length = 0;
    }
    listener.pdus.length = 0;
    listener.listener.close();
    expect(listener.pdus).toHaveLength(4096);
  });
});

describe('the ECUs of the bench', () => {
  const pair = isotpPair({ request_id: 0x700, response_id: 0x708, functional_id: 0x6ff });

  it('are heard from their first frame', () => {
    const listener = new IsotpRig();
    listener.listener.setPairs(0, [pair]);
    listener.hear('700#0322F190', '708#0462F19001', '6FF#023E80', '6FE#023E80');
    expect(listener.heard).toEqual(['700 22F190', '708 62F19001', '6FF 3E80']);
    listener.listener.setPairs(0, []);
    expect(listener.hear('700#0322F190').heard).toHaveLength(3);
  });

  it('have address bytes, and others than theirs are ignored', () => {
    const listener = new IsotpRig();
    const { target, source } = { target: 0x12, source: 0xf1 };
    const ids = { request_id: 0x6f1, response_id: 0x612 };
    listener.listener.setPairs(0, [isotpPair({ addressing: 'extended', ...ids, target, source })]);
    listener.hear('6F1#1203010203', '6F1#13023E00', '612#F1023E00');
    expect(listener.heard).toEqual(['6F1.12 010203', '612.F1 3E00']);
  });

  it('override the rules for their identifiers', () => {
    const listener = new IsotpRig();
    const ids = { request_id: 0x7e0, response_id: 0x7e8, address_extension: 0x03 };
    listener.listener.setPairs(0, [isotpPair({ addressing: 'mixed', ...ids })]);
    listener.hear('7E0#03023E00', '7E0#023E00', '7E8#0301 7E', '7E1#023E00');
    expect(listener.heard).toEqual(['7E0.3 3E00', '7E8.3 7E', '7E1 3E00']);
  });
});

describe('the LIN transport layer', () => {
  const lin = (text: string, more: Partial<GivenFrame> = {}): GivenFrame => ({
    ...{ text, bus: busCode.lin, ms: 10 },
    ...more,
  });

  it('is heard for each node address', () => {
    const listener = rig(
      ...[lin('3C#010322F190FFFFFF'), lin('3D#01101462F1905742')],
      ...[lin('3D#0121414255534241'), lin('3D#0122523030303030'), lin('3D#012330303100FFFF')],
    );
    const text = Buffer.from('WBABUSBAR00000001').toString('hex').toUpperCase();
    expect(listener.heard).toEqual(['3C.1 22F190', `3D.1 62F190${text}`]);
    expect(listener.pdus.map(({ protocol, address }) => [protocol, address])).toEqual([
      ['lin', 1],
      ['lin', 1],
    ]);
  });

  it('ignores sleep, other frames, and frames with errors', () => {
    const listener = rig(
      ...[lin('3C#00FFFFFFFFFFFFFF'), lin('12#0102030405060708'), lin('3C#01023E')],
      lin('3C#01023E00FFFFFFFF', { flags: frameFlag.checksumError }),
      lin('3D#01300000FFFFFFFF'),
    );
    expect(listener.heard).toEqual([]);
  });

  it('does not await flow control', () => {
    const frames = [lin('3C#01100A0102030405'), lin('3C#0121060708090AFF', { ms: 1001 })];
    expect(rig(...frames).heard).toEqual(['3C.1 timeout']);
  });
});
