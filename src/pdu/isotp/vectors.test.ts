import { describe, expect, it } from 'vitest';
import type { IsotpAddress } from './addressing.ts';
import { address, counting, hexOf, ReceiverRig, SenderRig } from './testing/rigs.ts';

interface Vector {
  readonly name: string;
  readonly payload: Uint8Array;
  readonly from?: IsotpAddress;
  readonly to?: IsotpAddress;
  readonly txDl?: number;
  readonly padding?: number;
  readonly blockSize?: number;
  readonly stMinUs?: number;
  readonly maxLength?: number;
  readonly flows?: readonly string[];
  readonly frames: readonly string[];
}

const filled = (text: string, length: number): string => {
  const [id, data = ''] = text.split('#');
  return `${id}#${data.padEnd(2 * length, 'C')}`;
};

const data = (from: number, to: number): string => hexOf(counting(to).subarray(from - 1));

const long = (length: number, head: string, headBytes: number): string[] => {
  const frames = [head + data(1, headBytes)];
  for (let from = headBytes; from < length; from += 7) {
    const sequence = (frames.length % 16).toString(16).toUpperCase();
    frames.push(`7E0#2${sequence}${data(from + 1, Math.min(from + 7, length))}`);
  }
  return frames;
};

const vectors: readonly Vector[] = [
  { name: 'a single frame', payload: Buffer.from('22F190', 'hex'), frames: ['7E0#0322F190'] },
  {
    name: 'a padded single frame',
    payload: Buffer.from('22F190', 'hex'),
    padding: 0xcc,
    frames: ['7E0#0322F190CCCCCCCC'],
  },
  {
    name: '8 bytes, BS 8',
    payload: counting(8),
    blockSize: 8,
    flows: ['7E8#300800'],
    frames: ['7E0#1008010203040506', '7E0#210708'],
  },
  {
    name: '8 padded bytes',
    payload: counting(8),
    padding: 0xaa,
    flows: ['7E8#300000AAAAAAAAAA'],
    frames: ['7E0#1008010203040506', '7E0#210708AAAAAAAAAA'],
  },
  {
    name: '20 bytes, BS 2, ST 5',
    payload: counting(20),
    blockSize: 2,
    stMinUs: 5000,
    flows: ['7E8#300205'],
    frames: ['7E0#1014010203040506', '7E0#210708090A0B0C0D', '7E0#220E0F1011121314'],
  },
  {
    name: '4095 bytes',
    payload: counting(4095),
    flows: ['7E8#300000'],
    frames: long(4095, '7E0#1FFF', 6),
  },
  {
    name: '4096 bytes',
    payload: counting(4096),
    maxLength: 5000,
    flows: ['7E8#300000'],
    frames: long(4096, '7E0#100000001000', 2),
  },
  {
    name: 'extended addressing, 7 bytes',
    payload: counting(7),
    from: address(0x6f1, 0x12),
    to: address(0x612, 0xf1),
    blockSize: 8,
    flows: ['612#F1300800'],
    frames: ['6F1#1210070102030405', '6F1#12210607'],
  },
  {
    name: 'extended addressing, 6 bytes',
    payload: counting(6),
    from: address(0x6f1, 0x12),
    to: address(0x612, 0xf1),
    frames: ['6F1#1206010203040506'],
  },
  {
    name: 'mixed addressing with 11 bits',
    payload: counting(7),
    from: address(0x7e0, 0x99),
    to: address(0x7e8, 0x99),
    blockSize: 8,
    flows: ['7E8#99300800'],
    frames: ['7E0#9910070102030405', '7E0#99210607'],
  },
  {
    name: 'fixed addressing',
    payload: counting(10),
    from: address(0x18da_10f1),
    to: address(0x18da_f110),
    blockSize: 8,
    flows: ['18DAF110#300800'],
    frames: ['18DA10F1#100A010203040506', '18DA10F1#210708090A'],
  },
  {
    name: 'mixed addressing with 29 bits',
    payload: counting(10),
    from: address(0x18ce_10f1, 0x99),
    to: address(0x18ce_f110, 0x99),
    blockSize: 8,
    flows: ['18CEF110#99300800'],
    frames: ['18CE10F1#99100A0102030405', '18CE10F1#9921060708090A'],
  },
  { name: 'CAN FD, 7 bytes', payload: counting(7), txDl: 64, frames: [`7E0#07${data(1, 7)}`] },
  {
    name: 'CAN FD, 3 padded bytes',
    payload: counting(3),
    txDl: 64,
    padding: 0,
    frames: ['7E0#0301020300000000'],
  },
  {
    name: 'CAN FD, 8 bytes',
    payload: counting(8),
    txDl: 64,
    frames: [filled(`7E0#0008${data(1, 8)}`, 12)],
  },
  {
    name: 'CAN FD, 11 bytes',
    payload: counting(11),
    txDl: 64,
    frames: [filled(`7E0#000B${data(1, 11)}`, 16)],
  },
  { name: 'CAN FD, 62 bytes', payload: counting(62), txDl: 64, frames: [`7E0#003E${data(1, 62)}`] },
  {
    name: 'CAN FD, 61 bytes after an address byte',
    payload: counting(61),
    from: address(0x6f1, 0x12),
    to: address(0x612, 0xf1),
    txDl: 64,
    frames: [`6F1#12003D${data(1, 61)}`],
  },
  {
    name: 'CAN FD, 63 bytes',
    payload: counting(63),
    txDl: 64,
    flows: ['7E8#300000'],
    frames: [`7E0#103F${data(1, 62)}`, '7E0#213F'],
  },
  {
    name: 'CAN FD, 200 bytes',
    payload: counting(200),
    txDl: 64,
    flows: ['7E8#300000'],
    frames: [
      `7E0#10C8${data(1, 62)}`,
      `7E0#21${data(63, 125)}`,
      `7E0#22${data(126, 188)}`,
      filled(`7E0#23${data(189, 200)}`, 16),
    ],
  },
  {
    name: 'TX_DL 12, 10 bytes',
    payload: counting(10),
    txDl: 12,
    frames: [`7E0#000A${data(1, 10)}`],
  },
  {
    name: 'TX_DL 12, 11 bytes',
    payload: counting(11),
    txDl: 12,
    flows: ['7E8#300000'],
    frames: [`7E0#100B${data(1, 10)}`, '7E0#210B'],
  },
  {
    name: 'a VIN',
    payload: Buffer.concat([Buffer.of(0x62, 0xf1, 0x90), Buffer.from('WBABUSBAR00000001')]),
    from: address(0x7e8),
    to: address(0x7e0),
    flows: ['7E0#300000'],
    frames: ['7E8#101462F190574241', '7E8#2142555342415230', '7E8#2230303030303031'],
  },
  {
    name: 'a routine that starts',
    payload: Buffer.from('31010203', 'hex'),
    frames: ['7E0#0431010203'],
  },
  {
    name: 'a pending response',
    payload: Buffer.from('7F3178', 'hex'),
    from: address(0x7e8),
    to: address(0x7e0),
    frames: ['7E8#037F3178'],
  },
  {
    name: 'the response that was pending',
    payload: Buffer.from('71010203FF', 'hex'),
    from: address(0x7e8),
    to: address(0x7e0),
    frames: ['7E8#0571010203FF'],
  },
];

const dataOf = (frame: string): string => frame.split('#')[1] ?? '';

describe('vectors of ISO 15765-2', () => {
  it.each(vectors)('are sent: $name', (vector) => {
    const { payload, from = address(), txDl = 8, flows = [] } = vector;
    const fd = vector.txDl !== undefined;
    const padding = vector.padding ?? null;
    const rig = new SenderRig({ address: from, fd, txDl, padding });
    rig.start(payload).pump();
    for (const flow of flows) rig.flow(dataOf(flow)).pump();
    while (rig.sender.state === 'pausing') rig.expire().pump();
    expect(rig.frames).toEqual(vector.frames);
    expect(rig.sender.state).toBe('done');
    expect(rig.findings).toEqual([]);
  });

  it.each(vectors)('are received: $name', (vector) => {
    const { payload, to = address(0x7e8), flows = [], maxLength = 4095 } = vector;
    const { blockSize = 0, stMinUs = 0, frames } = vector;
    const fd = vector.txDl !== undefined;
    const padding = vector.padding ?? null;
    const rig = new ReceiverRig({ address: to, fd, padding, blockSize, stMinUs, maxLength });
    rig.hear(...frames.map(dataOf));
    expect(rig.payloads).toEqual([hexOf(payload)]);
    expect(rig.frames).toEqual(flows);
    expect(rig.begun).toEqual([payload.length]);
    expect(rig.failures).toEqual([]);
    expect(rig.findings).toEqual([]);
  });

  it('has 586 frames for 4095 bytes, and the last ends with FF', () => {
    const { frames } = new SenderRig().start(4095).pump().flow('300000').pump();
    expect(frames).toHaveLength(586);
    expect(frames.at(-1)).toBe('7E0#29FF');
  });

  it('has 4096 bytes with the escape form', () => {
    const { frames } = new SenderRig().start(4096).pump().flow('300000').pump();
    expect(frames[0]).toBe('7E0#1000000010000102');
    expect(frames[1]).toMatch(/^7E0#2103/);
    expect(frames.at(-1)).toBe('7E0#29FBFCFDFEFF00');
  });

  it('releases blocks of 2 frames one after the other', () => {
    const rig = new SenderRig().start(30).pump().flow('300200').pump();
    expect(rig.frames).toHaveLength(3);
    rig.flow('300000').pump();
    expect(rig.frames).toHaveLength(5);
    expect(rig.sender.state).toBe('done');
  });
});

describe('lengths of frames', () => {
  const bytesOf = (frame: string): number => dataOf(frame).length / 2;

  it.each([8, 12, 16, 20, 24, 32, 48, 64])('fill TX_DL %i, but for the last', (txDl) => {
    const payload = counting(3 * txDl);
    const rig = new SenderRig({ fd: txDl > 8, txDl }).start(payload).pump().flow('300000').pump();
    const lengths = rig.frames.map(bytesOf);
    expect(lengths.slice(0, -1)).toEqual([txDl, txDl, txDl]);
    expect(lengths.at(-1)).toBeLessThanOrEqual(txDl);
    const received = new ReceiverRig({ fd: txDl > 8 }).hear(...rig.frames.map(dataOf));
    expect(received.payloads).toEqual([hexOf(payload)]);
  });

  it.each([0xcc, 0xaa, 0x55, 0x00, 0xff])(
    'are 8 bytes with padding %i, which is no data',
    (fill) => {
      const rig = new SenderRig({ padding: fill }).start(10).pump().flow('300000').pump();
      expect(rig.frames.map(bytesOf)).toEqual([8, 8]);
      expect(rig.frames[1]).toBe(`7E0#210708090A${hexOf(Uint8Array.of(fill, fill, fill))}`);
      const received = new ReceiverRig({ padding: null }).hear(...rig.frames.map(dataOf));
      expect(received.payloads).toEqual([data(1, 10)]);
    },
  );
});

describe('vectors with errors', () => {
  const first = '1014010203040506';

  it.each([
    ['sequence number 2 after the first frame', [first, '220E0F1011121314'], ['sequence_error']],
    [
      'a repeated consecutive frame',
      [first, '210708090A0B0C0D', '210708090A0B0C0D', '220E0F1011121314'],
      ['sequence_error'],
    ],
    ['a single frame of 0 bytes', ['0001020304050607'], []],
    ['a single frame of 8 bytes', ['0801020304050607'], []],
    ['PCI 4', ['4001020304050607'], []],
    ['a consecutive frame alone', ['2101020304050607'], []],
  ] as const)('deliver nothing: %s', (_, frames, failures) => {
    const rig = new ReceiverRig().hear(...frames);
    expect(rig.payloads).toEqual([]);
    expect(rig.failures).toEqual(failures);
  });

  it('delivers only a single frame that came inside a message', () => {
    const rig = new ReceiverRig().hear(first, '0322F190', '210708090A0B0C0D', '220E0F1011121314');
    expect(rig.payloads).toEqual(['22F190']);
    expect(rig.failures).toEqual(['replaced']);
    expect(rig.begun).toEqual([20, 3]);
  });

  it('delivers only the second of two messages', () => {
    const rig = new ReceiverRig().hear(first, '1008111213141516', '211718');
    expect(rig.payloads).toEqual(['1112131415161718']);
    expect(rig.failures).toEqual(['replaced']);
  });

  it('stops at an overflow', () => {
    const rig = new SenderRig().start(20).pump().flow('320000').pump();
    expect(rig.frames).toHaveLength(1);
    expect(rig.sender.failure).toBe('flow_control_overflow');
  });

  it('answers a first frame beyond the limit with an overflow', () => {
    const rig = new ReceiverRig({ blockSize: 8, maxLength: 1000 }).hear('1FFF010203040506');
    expect(rig.frames).toEqual(['7E0#320800']);
    expect(rig.failures).toEqual(['response_too_long']);
    expect(rig.hear('2101020304050607').payloads).toEqual([]);
  });

  it('answers a first frame of 4 GiB with an overflow', () => {
    const rig = new ReceiverRig({ maxLength: 1_000_000 }).hear('1000FFFFFFFF0102');
    expect(rig.frames).toEqual(['7E0#320000']);
    expect(rig.failures).toEqual(['response_too_long']);
  });

  it('takes 127 ms for STmin 80 and reports it', () => {
    const rig = new SenderRig().start(20).pump().flow('300080').pump();
    expect(rig.findings).toEqual(['reserved_st_min']);
    expect(rig.sender.deadlineUs).toBe(rig.nowUs + 127_000);
  });
});
