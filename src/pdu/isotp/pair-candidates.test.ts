import { describe, expect, it } from 'vitest';
import { counting, type GivenFrame, IsotpRig } from './testing/isotp-rig.ts';

const rig = (...frames: readonly (GivenFrame | string)[]) => new IsotpRig().hear(...frames);

const first = '123#1014010203040506';
const clear = '456#300000';
const rest = ['123#210708090A0B0C0D', '123#220E0F1011121314'];
const message = [first, clear, ...rest];
const heard = `123 ${counting(20)}`;

describe('a pair', () => {
  it.each([
    ['normal', message, [heard]],
    ['normal with padding', [first, '456#300000AAAAAAAAAA', ...rest], [heard]],
    [
      'normal with 29 bits',
      ['17FC0010#100A010203040506', '17FE0010#300800', '17FC0010#210708090A'],
      [`17FC0010 ${counting(10)}`],
    ],
    [
      'extended',
      ['6F1#1210070102030405', '612#F1300800', '6F1#12210607'],
      [`6F1.12 ${counting(7)}`],
    ],
    [
      'mixed, on identifiers that usually have no address byte',
      ['7E0#9910070102030405', '7E8#99300800', '7E0#99210607'],
      [`7E0.99 ${counting(7)}`],
    ],
    [
      'with flow control that looks like a first frame',
      ['6F1#1210070102030405', '612#1230080000000000', '6F1#12210607'],
      [`6F1.12 ${counting(7)}`],
    ],
    [
      'with a block size that looks like a first frame',
      [first, '456#3010000000000000', ...rest],
      [heard],
    ],
    [
      'on CAN FD',
      [`123##110C8${counting(62)}`, '456##1300000', `123##121${counting(125).slice(124)}`]
        .concat(`123##122${counting(188).slice(250)}`)
        .concat(`123##123${counting(200).slice(376)}CCCCCC`),
      [`123 ${counting(200)}`],
    ],
  ])('is found by its conversation: %s', (_, frames, payloads) => {
    const listener = rig(...frames);
    expect([listener.heard, listener.findings]).toEqual([payloads, []]);
  });

  it('has the frames from the first on, with their events', () => {
    expect(rig('111#00', ...message).pdus).toMatchObject([
      { firstEventId: 2, lastEventId: 5, frames: 4, durationUs: 3000 },
    ]);
  });

  it('has single frames in both directions from then on, not before', () => {
    const before = rig('123#023E00', '456#017E');
    expect(before.heard).toEqual([]);
    const listener = rig(...message, '123#023E00', '456#017E', '457#017E');
    expect(listener.heard).toEqual([heard, '123 3E00', '456 7E']);
  });

  it('counts flow control of its partner alone', () => {
    const listener = rig(...message, first, clear, '457#300000', ...rest, first, clear, clear);
    expect(listener.heard).toEqual([heard, heard, '123 lost']);
    expect(listener.findings).toEqual(['flow_unexpected 12']);
  });

  it('is found among other frames of the bus', () => {
    const noise = ['100#1234567890ABCDEF', '101#2134567890ABCDEF', '102#3034567890ABCDEF'];
    const listener = rig(...message.flatMap((frame) => [...noise, frame, ...noise]));
    expect([listener.heard, listener.findings]).toEqual([[heard], []]);
  });

  it.each([
    ['a first frame and consecutive frames', [first, ...rest]],
    ['a first frame and flow control', [first, clear]],
    ['another frame of the sender in between', [first, '123#5501020304050607', clear, ...rest]],
    ['another frame of the sender after flow control', [first, clear, '123#55', ...rest]],
    ['flow control that is too late', [first, { text: clear, ms: 1001 }, ...rest]],
    ['a consecutive frame that is too late', [first, clear, { text: rest[0] ?? '', ms: 1001 }]],
    ['flow control with other data after it', [first, '456#3000000102030405', ...rest]],
    ['flow control that ends the message', [first, '456#320000', ...rest]],
    ['flow control with a reserved STmin', [first, '456#300080', ...rest]],
    ['another sequence number', [first, clear, '123#220708090A0B0C0D']],
    ['a consecutive frame that is too short', [first, clear, '123#2107']],
    ['a first frame for what a single frame holds', ['123#1007010203040506', clear, '123#2107']],
    ['a first frame that is not full', ['123#10140102030405', clear, ...rest]],
    ['flow control of the sender itself', [first, '123#300000', ...rest]],
  ])('is not found by %s', (_, frames) => {
    const listener = rig(...frames);
    listener.listener.close();
    expect(listener.heard).toEqual([]);
  });

  it('is not found across lost events', () => {
    const listener = rig(first, clear);
    listener.listener.missed(3);
    listener.hear(...rest).listener.close();
    expect(listener.heard).toEqual([]);
  });

  it('is forgotten when a frame is not of ISO-TP', () => {
    const listener = rig(...message, '123#A501', '123#023E00', '456#023E00');
    expect(listener.heard).toEqual([heard]);
  });

  it('is forgotten with its channel', () => {
    const listener = rig(...message);
    listener.listener.close(0);
    expect(listener.hear('123#023E00').heard).toEqual([heard]);
  });
});

describe('two senders at the same time', () => {
  const other = [
    ...['124#1014F1F2F3F4F5F6', '457#300000'],
    ...['124#21F7F8F9FAFBFCFD', '124#22E1E2E3E4E5E6E7'],
  ] as const;
  const both = [first, other[0], clear, other[1], rest[0], other[2], other[3], rest[1]] as string[];
  const others = '124 F1F2F3F4F5F6F7F8F9FAFBFCFDE1E2E3E4E5E6E7';

  it('are not mixed, but their partners are not known', () => {
    const listener = rig(...both, '123#023E00', '456#017E', '457#017E');
    expect(listener.heard).toEqual([others, heard, '123 3E00']);
    expect(listener.findings).toEqual([]);
  });

  it('have their partners as soon as one message is alone', () => {
    const listener = rig(...both, ...message, '456#017E', '457#017E', ...other, '457#017E');
    expect(listener.heard).toEqual([others, heard, heard, '456 7E', others, '457 7E']);
    expect(listener.findings).toEqual([]);
  });
});

describe('the memory of candidates', () => {
  it('is bounded, and other traffic does not push out a conversation', () => {
    const listener = rig(first, clear);
    for (let id = 0; id < 0x700; id++) {
      if (id === 0x123 || id === 0x456) continue;
      listener.hear({ text: `${id.toString(16).padStart(3, '0')}#1234567890ABCDEF`, ms: 0.1 });
    }
    expect(listener.hear(...rest).heard).toEqual([heard]);
  });
});
