import { describe, expect, it } from 'vitest';
import { candumpLine } from './candump-text.ts';
import { type CanFrame, frameFlags } from './frame.ts';
import { writeFrm2 } from './frm2-codec.ts';
import { busCode, eventKindCode, frameFlag } from './frm2-layout.ts';
import { parseNotation } from './notation.ts';

const at = 128;

const recordOf = (frame: Pick<CanFrame, 'id' | 'dlc' | 'data'>, bus: number, flags: number) => {
  const view = new DataView(new ArrayBuffer(256));
  const { id, dlc, data } = frame;
  writeFrm2(view, at, bus, eventKindCode.rx_frame, 0, id, flags, dlc, data, 0, data.length);
  return view;
};

const lineOf = (text: string): string => {
  const frame = parseNotation(text);
  const record = recordOf(frame, busCode[frame.bus], frameFlags(frame));
  return candumpLine('can0', record, at);
};

describe('candumpLine', () => {
  it.each([
    ['123#DEADBEEF', '  can0       123   [4]  DE AD BE EF'],
    ['18FF50E5#01', '  can0  18FF50E5   [1]  01'],
    ['123#', '  can0       123   [0]'],
    ['123#R', '  can0       123   [0]  remote request'],
    ['123#R8_9', '  can0       123   [8]  remote request'],
    ['123#1122334455667788_F', '  can0       123   [8]  11 22 33 44 55 66 77 88'],
    ['123##11122334455667788', '  can0       123  [08]  11 22 33 44 55 66 77 88'],
    [
      '123##0112233445566778899AABBCC',
      '  can0       123  [12]  11 22 33 44 55 66 77 88 99 AA BB CC',
    ],
    ['20000004#0001000000000000', '  can0  20000004   [8]  00 01 00 00 00 00 00 00   ERRORFRAME'],
    ['20000004#00', '  can0  20000004   [1]  00                        ERRORFRAME'],
  ])('shows %s like candump', (text, line) => {
    expect(lineOf(text)).toBe(line);
  });

  it('tells how many error frames a line stands for, if not just one', () => {
    const lineWith = (...count: number[]): string => {
      const data = Uint8Array.of(0, 0, 0, 0x19, 0, 0, 0x80, 0, ...count);
      const record = recordOf({ id: 0xa0, dlc: 8, data }, busCode.can, frameFlag.error);
      return candumpLine('can0', record, at);
    };
    const line = '  can0  200000A0   [8]  00 00 00 19 00 00 80 00   ERRORFRAME';
    expect(lineWith()).toBe(line);
    expect(lineWith(0, 0, 0, 0)).toBe(line);
    expect(lineWith(0, 0, 2, 1)).toBe(`${line} ×513`);
  });

  it('shows LIN identifiers in two digits', () => {
    const record = recordOf({ id: 0x3c, dlc: 1, data: Uint8Array.of(0) }, busCode.lin, 0x100);
    expect(candumpLine('lin0', record, at)).toBe('  lin0        3C   [1]  00');
  });
});
