import { describe, expect, it } from 'vitest';
import { setFrm2TimestampUs, writeFrm2 } from '../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag, frm2SlotBytes } from '../frame/frm2-layout.ts';
import { DatagramWriter } from './peer-batcher.ts';

const recordOf = (id: number, flags: number, dlc: number, hex = ''): DataView => {
  const view = new DataView(new ArrayBuffer(frm2SlotBytes));
  const data = Buffer.from(hex, 'hex');
  const bus = (flags & frameFlag.fd) !== 0 ? busCode.canfd : busCode.can;
  writeFrm2(view, 0, bus, eventKindCode.rx_frame, 0, id, flags, dlc, data, 0, data.length);
  setFrm2TimestampUs(view, 0, 1);
  return view;
};

const hexOf = (writer: DatagramWriter, sequence: number): string => {
  writer.seal(sequence);
  return Buffer.from(writer.bytes.subarray(0, writer.length)).toString('hex');
};

const packed = (...records: DataView[]): string => {
  const writer = new DatagramWriter();
  for (const record of records) expect(writer.add(record, 0)).toBe(true);
  return hexOf(writer, 7);
};

describe('packing frames into a datagram', () => {
  it('writes a classic frame as cannelloni does', () => {
    expect(packed(recordOf(0x123, 0, 2, 'aa55'))).toBe('020007000100000123' + '02aa55');
  });

  it('marks a CAN FD frame in its length and adds its flags', () => {
    const { fd, brs, esi } = frameFlag;
    expect(packed(recordOf(0x123, fd | brs, 3, 'aa5500'))).toBe(
      '0200070001' + '000001238301aa5500',
    );
    expect(packed(recordOf(0x7ff, fd | esi, 0))).toBe('0200070001' + '000007ff8002');
    expect(packed(recordOf(0, fd | brs | esi, 1, '11'))).toBe('0200070001' + '00000000810311');
  });

  it('marks extended identifiers', () => {
    const record = recordOf(0x1fff_ffff, frameFlag.extended, 1, '01');
    expect(packed(record)).toBe('0200070001' + '9fffffff0101');
  });

  it('gives a remote frame its length and no data', () => {
    expect(packed(recordOf(0x123, frameFlag.remote, 4))).toBe('0200070001' + '4000012304');
    const both = frameFlag.remote | frameFlag.extended;
    expect(packed(recordOf(0x123, both, 8))).toBe('0200070001' + 'c000012308');
  });

  it('sends classic length codes above 8 as the 8 bytes that they mean', () => {
    expect(packed(recordOf(1, 0, 15, '0011223344556677'))).toBe(
      '0200070001' + '00000001080011223344556677',
    );
    expect(packed(recordOf(1, frameFlag.remote, 15))).toBe('0200070001' + '4000000108');
  });

  it('puts frames one behind the other and counts them', () => {
    expect(packed(recordOf(1, 0, 3, '010203'), recordOf(2, 0, 0), recordOf(3, 0, 1, 'ff'))).toBe(
      '0200070003' + '0000000103010203' + '0000000200' + '0000000301ff',
    );
  });

  it('refuses a frame that does not fit, takes one that fits exactly, and leaves what is there', () => {
    const writer = new DatagramWriter(5 + 13 + 6);
    expect(writer.add(recordOf(1, 0, 8, '0011223344556677'), 0)).toBe(true);
    expect(writer.add(recordOf(2, 0, 2, '0102'), 0)).toBe(false);
    expect(writer.frames).toBe(1);
    expect(writer.add(recordOf(2, 0, 1, 'ee'), 0)).toBe(true);
    expect(writer.add(recordOf(3, 0, 0), 0)).toBe(false);
    expect(hexOf(writer, 255)).toBe('0200ff0002' + '00000001080011223344556677' + '0000000201ee');
  });

  it('begins anew after it was cleared', () => {
    const writer = new DatagramWriter();
    writer.add(recordOf(1, 0, 8, '0011223344556677'), 0);
    writer.clear();
    expect(writer.frames).toBe(0);
    writer.add(recordOf(2, 0, 0), 0);
    expect(hexOf(writer, 0)).toBe('0200000001' + '0000000200');
  });
});
