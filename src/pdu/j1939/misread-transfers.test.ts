import { describe, expect, it } from 'vitest';
import { Listener } from '../testing/frames.ts';
import { readDiagnostics } from './diagnostics.ts';

/** A DM1 of 14 bytes, as can-j1939 sends it. */
const dm1 = {
  bam: '1CECFF00#200E0002FFCAFE00',
  first: '1CEBFF00#0145F1BE00020500',
  second: '1CEBFF00#02F0FF7E6E000001',
  payload: '45F1BE00020500F0FF7E6E000001',
};

/** 30 bytes from node 00 to a node, with one packet per CTS. */
const thirtyTo = (node: string): string[] => [
  `18EC${node}00#101E00050100EF00`,
  ...[
    '0101020304050607',
    '0208090A0B0C0D0E',
    '030F101112131415',
    '04161718191A1B1C',
    '051D1EFFFFFFFFFF',
  ].flatMap((packet, index) => [
    `1CEC00${node}#11010${index + 1}FFFF00EF00`,
    `1CEB${node}00#${packet}`,
  ]),
  `1CEC00${node}#131E0005FF00EF00`,
];
const thirty = Array.from({ length: 30 }, (_, i) => (i + 1).toString(16).padStart(2, '0'))
  .join('')
  .toUpperCase();

/** Frames of several transfers in turn. */
const interleaved = (...transfers: readonly (readonly string[])[]): string[] =>
  Array.from({ length: Math.max(...transfers.map(({ length }) => length)) }, (_, index) =>
    transfers.flatMap((frames) => frames[index] ?? []),
  ).flat();

const shown = (frames: readonly string[]): string[] =>
  new Listener()
    .hear(...frames)
    .wait(5000)
    .pdus.map(({ status, source, destination, pgn, payload }) =>
      [
        status,
        `${source?.toString(16)}>${destination?.toString(16)}`,
        pgn?.toString(16),
        Buffer.from(payload).toString('hex').toUpperCase(),
      ].join(' '),
    );

const wholeDm1 = `complete 0>ff feca ${dm1.payload}`;

/** Vectors of transfers that other decoders lose, or of which they deliver wrong bytes. */
describe('a transfer that other decoders misread', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a broadcast of two packets', [dm1.bam, dm1.first, dm1.second], [wholeDm1]],
    [
      'a broadcast with its packets swapped has no payload',
      [dm1.bam, dm1.second, dm1.first],
      ['lost 0>ff feca '],
    ],
    [
      'a broadcast with a repeated packet',
      [dm1.bam, dm1.first, dm1.first, dm1.second, dm1.second],
      [wholeDm1],
    ],
    [
      'a broadcast without its first packet has no payload',
      [dm1.bam, dm1.second],
      ['lost 0>ff feca '],
    ],
    [
      'a broadcast without its last packet has no payload',
      [dm1.bam, dm1.first],
      ['timeout 0>ff feca '],
    ],
    ['a broadcast announced by two loggers', [dm1.bam, dm1.bam, dm1.first, dm1.second], [wholeDm1]],
    [
      'a broadcast that another one replaces',
      [
        dm1.bam,
        dm1.first,
        '1CECFF00#20090002FFCBFE00',
        '1CEBFF00#0100FF6E00000100',
        '1CEBFF00#02AABBFFFFFFFFFF',
      ],
      ['replaced 0>ff feca ', 'complete 0>ff fecb 00FF6E00000100AABB'],
    ],
    ['a transfer to one address', thirtyTo('80'), [`complete 0>80 ef00 ${thirty}`]],
    [
      'transfers of one source to two addresses and to all, at the same time',
      interleaved(thirtyTo('80'), thirtyTo('81'), [dm1.bam, dm1.first, dm1.second]),
      [wholeDm1, `complete 0>80 ef00 ${thirty}`, `complete 0>81 ef00 ${thirty}`],
    ],
    [
      'broadcasts of two sources at the same time',
      interleaved(
        [dm1.bam, dm1.first, dm1.second],
        [dm1.bam, dm1.first, dm1.second].map((text) => text.replace('FF00#', 'FF21#')),
      ),
      [wholeDm1, wholeDm1.replace('0>', '21>')],
    ],
    [
      'a transfer with its packets in another order, one of them twice',
      [
        '18EC8000#101E00050500EF00',
        '1CEB8000#051D1EFFFFFFFFFF',
        '1CEB8000#030F101112131415',
        '1CEB8000#030F101112131415',
        '1CEB8000#0101020304050607',
        '1CEB8000#04161718191A1B1C',
        '1CEB8000#0208090A0B0C0D0E',
      ],
      [`complete 0>80 ef00 ${thirty}`],
    ],
    [
      'a transfer whose repeated packet differs has no payload',
      [
        '18EC8000#101E00050500EF00',
        '1CEB8000#0101020304050607',
        '1CEB8000#01FF020304050607',
        '1CEB8000#0208090A0B0C0D0E',
        '1CEB8000#030F101112131415',
        '1CEB8000#04161718191A1B1C',
        '1CEB8000#051D1EFFFFFFFFFF',
      ],
      ['conflict 0>80 ef00 '],
    ],
    [
      'a transfer that its receiver acknowledges although a packet was not seen',
      thirtyTo('80').filter((text) => !text.startsWith('1CEB8000#03')),
      ['lost 0>80 ef00 '],
    ],
  ])('%s', (_, frames, expected) => {
    expect(shown(frames)).toEqual(expected);
  });

  it('has the diagnostic codes of its payload', () => {
    const { payload } = new Listener().hear(dm1.bam, dm1.first, dm1.second).pdus[0] ?? {};
    expect(payload && readDiagnostics(payload)).toEqual({
      lamps: { malfunction: 'on', red_stop: 'off', amber_warning: 'slow', protect: 'fast' },
      dtcs: [
        { spn: 190, fmi: 2, count: 5, conversion: 0 },
        { spn: 520_192, fmi: 31, count: 126, conversion: 0 },
        { spn: 110, fmi: 0, count: 1, conversion: 0 },
      ],
    });
  });
});
