/** Frames with checksums from other implementations. */
export interface FrameVector {
  readonly name: string;
  readonly side: 'request' | 'response';
  readonly unit: number;
  readonly pdu: string;
  /** The CRC in transmission order. */
  readonly crc: string;
  readonly lrc: string;
}

export const frameVectors: readonly FrameVector[] = [
  {
    name: 'read 3 holding registers',
    side: 'request',
    unit: 0x11,
    pdu: '03 006B 0003',
    crc: '7687',
    lrc: '7E',
  },
  {
    name: 'read 37 coils',
    side: 'request',
    unit: 0x11,
    pdu: '01 0013 0025',
    crc: '0E84',
    lrc: 'B6',
  },
  {
    name: 'read 22 discrete inputs',
    side: 'request',
    unit: 0x11,
    pdu: '02 00C4 0016',
    crc: 'BAA9',
    lrc: '13',
  },
  {
    name: 'read an input register',
    side: 'request',
    unit: 0x01,
    pdu: '04 0008 0001',
    crc: 'B008',
    lrc: 'F2',
  },
  {
    name: 'switch a coil on',
    side: 'request',
    unit: 0x01,
    pdu: '05 00AC FF00',
    crc: '4C1B',
    lrc: '4F',
  },
  {
    name: 'write a register',
    side: 'request',
    unit: 0x11,
    pdu: '06 0001 0003',
    crc: '9A9B',
    lrc: 'E5',
  },
  {
    name: 'write 10 coils',
    side: 'request',
    unit: 0x11,
    pdu: '0F 0013 000A 02 CD01',
    crc: 'BF0B',
    lrc: 'F3',
  },
  {
    name: 'write 2 registers',
    side: 'request',
    unit: 0x11,
    pdu: '10 0001 0002 04 000A 0102',
    crc: 'C6F0',
    lrc: 'CB',
  },
  {
    name: 'mask a register',
    side: 'request',
    unit: 0x11,
    pdu: '16 0004 00F2 0025',
    crc: '66E2',
    lrc: 'BE',
  },
  {
    name: 'read 6 and write 3 registers',
    side: 'request',
    unit: 0x11,
    pdu: '17 0003 0006 000E 0003 06 00FF 00FF 00FF',
    crc: '4B54',
    lrc: 'BB',
  },
  {
    name: 'write a register of all units',
    side: 'request',
    unit: 0x00,
    pdu: '06 0001 0017',
    crc: '99D5',
    lrc: 'E2',
  },
  { name: 'refuse an address', side: 'response', unit: 0x01, pdu: '83 02', crc: 'C0F1', lrc: '7A' },
  {
    name: 'return 2 registers',
    side: 'response',
    unit: 0x01,
    pdu: '03 04 0006 0005',
    crc: 'DA31',
    lrc: 'ED',
  },
];
