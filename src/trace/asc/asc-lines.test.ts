import { describe, expect, it } from 'vitest';
import { eventText } from '../testing/event-text.ts';
import { MemorySource } from '../testing/memory-bytes.ts';
import { restOf } from '../testing/trace-events.ts';
import { readAsc } from './asc-reader.ts';

const header = (base: string): string =>
  `date Fri Mar 14 02:41:07.250 pm 2025\nbase ${base}  timestamps absolute\n`;

/** Result of a line: an event as text, the reason for skipping it, or its error. */
const outcomeOf = (line: string, base = 'hex'): string => {
  const source = new MemorySource(Buffer.from(`${header(base)}${line}\n`, 'latin1'));
  const reader = readAsc(source);
  const [event] = restOf(reader);
  if (event !== undefined) return eventText(event);
  const { skipped, errors } = reader.account;
  return (
    Object.keys(skipped).map((what) => `skipped ${what}`)[0] ?? errors[0]?.message ?? 'nothing'
  );
};

describe('a line of classic CAN', () => {
  it.each([
    [
      '   1.234567 1  7E8             Rx   d 8 02 41 0C 1A F8 00 00 00  Length = 236000 BitCount = 122 ID = 2024',
      '1234567000 1 rx can 7E8 - 8 02410C1AF8000000',
    ],
    ['1.2345\t2\t1A2B3C4Dx\tTx\td\t2\t0f\tF0', '1234500000 2 tx can 1A2B3C4D extended 2 0FF0'],
    ['0.001 1 0 Rx d 0', '1000000 1 rx can 0 - 0'],
    ['1.123456789 1 7FF rx D 1 5', '1123456789 1 rx can 7FF - 1 05'],
    [
      '1.0 1 3FF Tx d D 55 AA 01 02 03 04 05 06 TE',
      '1000000000 1 tx can 3FF - 13 55AA010203040506',
    ],
    ['1.0 1 C8 Tx d C 1 2 3 4 5 6 7 8', '1000000000 1 tx can C8 - 12 0102030405060708'],
    [
      '1.0 1 C8 Tx d c 1 2 3 4 5 6 7 8 9 A B C',
      '1000000000 1 tx canfd C8 fd 9 0102030405060708090A0B0C',
    ],
    [
      `1.0 1 C8x Tx d 10 ${'AA '.repeat(16)}`,
      `1000000000 1 tx canfd C8 extended|fd 10 ${'AA'.repeat(16)}`,
    ],
    ['2.0 1  200  Tx   r', '2000000000 1 tx can 200 remote 0'],
    [
      '2.0 1  200  Tx   r 4  Length = 90000 BitCount = 48 ID = 512',
      '2000000000 1 tx can 200 remote 4',
    ],
    ['2.0 1  200x Rx   r Length = 90000', '2000000000 1 rx can 200 extended|remote 0'],
    ['2.1 1  ErrorFrame', '2100000000 1 rx can 0 error 0'],
    ['2.1 1 ErrorFrame\tECC: 11011001', '2100000000 1 rx can 0 error 0'],
    [
      '2.1 2  ErrorFrame\tFlags = 0xe CodeExt = 0x2104 Code = 0x84 ID = 1a3 DLC = 8 Position = 61 Length = 151000',
      '2100000000 2 rx can 0 error 0',
    ],
    ['2.2 1  OverloadFrame', 'skipped overload_frame'],
    [
      '2.3 CAN 1 Status:chip status error passive - TxErr: 128 RxErr: 3',
      '2300000000 1 rx can 204 error 8 002000000000800300000000',
    ],
    [
      '2.3 2  Status:chip status warning level - TxErr: 0 RxErr: 96',
      '2300000000 2 rx can 204 error 8 000400000000006000000000',
    ],
    [
      '2.3 CAN 3 Status:chip status error active',
      '2300000000 3 rx can 4 error 8 004000000000000000000000',
    ],
    [
      '2.3 CAN 3 Status:chip status bus off - TxErr: 256 RxErr: 0',
      '2300000000 3 rx can 240 error 8 000000000000FF0000000000',
    ],
    ['2.3 CAN 1 Status:chip status unheard of', 'skipped status'],
    ['2.3 CAN 1 Status:transceiver', 'skipped status'],
    ['2.3 CAN 1', 'skipped status'],
    ['3.0 1  Statistic: D 25 R 0 XD 3 XR 0 E 1 O 0 B 4.50%', 'skipped statistics'],
    ['3.1 log trigger event', 'skipped trigger'],
    ['3.1 Start of measurement', 'skipped marker'],
    ['3.2 1  J1939TP FECAp 7 0 0 - Rx d 10 01', 'skipped j1939tp'],
    ['3.3    SV: 2 0 0 ::Space::Var = 12', 'skipped system_variable'],
    ['3.4 Comment: 105 some text', 'skipped comment'],
    ['3.5 ETH 1 Rx 64:0011', 'skipped ethernet'],
    ['3.6 1  Something else', 'skipped other'],
    ['3.7 Whatever', 'skipped other'],
    ['4.0 1 123 TxRq d 1 00', 'skipped tx_request'],
    [
      '5.0 1 EngineData Rx d 1 07 Length = 1 BitCount = 2 ID = 291',
      '5000000000 1 rx can 123 - 1 07',
    ],
    ['5.0 1 ACC Rx d 1 07 ID = 419385599x', '5000000000 1 rx can 18FF50FF extended 1 07'],
    ['5.0 1 EngineData Rx d 1 07', 'skipped symbolic'],
    ['5.0 1 ACC Rx d 1 07', 'skipped symbolic'],
    ['6.0', 'Nothing follows the timestamp'],
    ['6.0 1', 'Nothing follows the channel'],
    ['6.0 1 123', 'Rx or Tx is missing after the identifier'],
    ['6.0 1 123 Rx', 'd or r is missing after the direction'],
    ['6.0 1 123 Rx d', 'The DLC or the data length is out of range'],
    ['6.0 1 123 Rx d 9z', 'The DLC or the data length is out of range'],
    ['6.0 1 123 Rx d 41 00', 'The DLC or the data length is out of range'],
    ['6.0 1 123 Rx r 10', 'The DLC or the data length is out of range'],
    ['6.0 1 123 Rx d 2 00', 'Fewer data bytes than announced'],
    ['6.0 1 123 Rx d 2 00 1FF', 'Fewer data bytes than announced'],
    ['6.0 1 800 Rx d 0', 'The identifier is out of range'],
    ['6.0 1 20000000x Rx d 0', 'The identifier is out of range'],
    ['6.0 65536 1 Rx d 0', 'The channel is out of range'],
    ['6.0123456789 1 1 Rx d 0', 'The time is not a number of seconds with one to nine decimals'],
    ['6 1 1 Rx d 0', 'The time is not a number of seconds with one to nine decimals'],
    ['-6.0 1 1 Rx d 0', 'The line starts with neither a timestamp nor a header keyword'],
  ])('reads %s', (line, expected) => {
    expect(outcomeOf(line)).toBe(expected);
  });

  it.each([
    ['1.0 1 2024 Rx d 3 0 17 255', '1000000000 1 rx can 7E8 - 3 0011FF'],
    ['1.0 1 419385599x Rx d 0', '1000000000 1 rx can 18FF50FF extended 0'],
    ['1.0 1 17 Rx d 10 1 2 3 4 5 6 7 8', '1000000000 1 rx can 11 - 10 0102030405060708'],
    ['1.0 1 17 Rx d 1 256', 'Fewer data bytes than announced'],
    ['1.0 1 7E8 Rx d 0', 'skipped symbolic'],
    ['1.0 Li 35 Rx 2 16 255 checksum = 171', '1000000000 1 rx lin 23 noModel 2 csAB 10FF'],
  ])('reads %s with decimal numbers', (line, expected) => {
    expect(outcomeOf(line, 'dec')).toBe(expected);
    expect(outcomeOf(line, 'dez')).toBe(expected);
  });

  it('takes a name for the identifier that the line repeats, and passes it over where none is', () => {
    expect(outcomeOf('1.0 1 Traced Rx d 0 ID = 5')).toBe('1000000000 1 rx can 5 - 0');
    expect(outcomeOf('1.0 1 Other Tx r 3')).toBe('skipped symbolic');
  });
});

describe('a line of CAN FD', () => {
  const twelve = '01 02 03 04 05 06 07 08 09 0A 0B 0C';
  const compact = '0102030405060708090A0B0C';
  it.each([
    [
      `12.345678 CANFD   1 Rx        18F  EngineData                       1 0 9 12 ${twelve}   118250  167   303000    8a12c 46500250 4b140250 20011736 2001040d`,
      `12345678000 1 rx canfd 18F fd|brs 9 ${compact}`,
    ],
    [
      `1.0 CANFD 2 Tx 18FF50FFx 0 1 9 12 ${twelve}`,
      `1000000000 2 tx canfd 18FF50FF extended|fd|esi 9 ${compact}`,
    ],
    ['1.0 CANFD 2 Tx 1 1 1 0 0', '1000000000 2 tx canfd 1 fd|brs|esi 0'],
    ['1.0 CANFD 2 Tx 1 Name 0 0 1 1 AB 100 20', '1000000000 2 tx canfd 1 fd 1 AB'],
    ['1.0 CANFD 2 Tx 1 0 0 1 1 AB 100 20 1000', '1000000000 2 tx canfd 1 fd 1 AB'],
    ['1.0 CANFD 2 Tx 1 0 0 1 1 AB 100 20 200040 12', '1000000000 2 tx can 1 - 1 AB'],
    [
      '1.0 CANFD 2 Tx 1 0 0 f 8 1 2 3 4 5 6 7 8 100 20 200000 12',
      '1000000000 2 tx can 1 - 15 0102030405060708',
    ],
    [
      '1.0 CANFD 3 Tx 50005x 0 0 5 0 140000 73 200050 7a60',
      '1000000000 3 tx can 50005 extended|remote 5',
    ],
    [`1.0 CANFD 2 Tx 1 0 0 9 12 ${twelve} 0 0 0`, `1000000000 2 tx canfd 1 fd 9 ${compact}`],
    ['1.0 CANFD 2 Tx 1 0 0 5 4 1 2 3 4 0 0 1000', '1000000000 2 tx canfd 1 fd 4 01020304'],
    [
      '4.2 CANFD 1  1A0   Rx   1 0 d 2 2 11 22 Length = 187000 BitCount = 122 ID = 416',
      '4200000000 1 rx canfd 1A0 fd|brs 2 1122',
    ],
    [
      '4.2 CANFD 1  1A0x  Tx   0 0 r 2 0 Length = 187000',
      '4200000000 1 tx can 1A0 extended|remote 2',
    ],
    [
      '1.0 CANFD 5 Tx ErrorFrame Not Acknowledge error, dominant error flag fffe c7 31ca Arb. 556 44 0 0 f 64 00',
      '1000000000 5 tx can 0 error 0',
    ],
    ['1.0 CANFD 1 TxRq 1 0 0 0 0', 'skipped tx_request'],
    ['1.0 CANFD 1 Rx SomeName 0 0 0 0', 'skipped symbolic'],
    [
      '1.0 CANFD 1 Rx 1 0 0 9 10 1 2 3 4 5 6 7 8 9 10',
      'The DLC or the data length is out of range',
    ],
    ['1.0 CANFD 1 Rx 1 0 0 10 1 1', 'The DLC or the data length is out of range'],
    ['1.0 CANFD 1 Rx 1 0 2 1 1 1', 'BRS and ESI are not both 0 or 1'],
    ['1.0 CANFD 1 Rx 1 0 0 2 2 1', 'Fewer data bytes than announced'],
    ['1.0 CANFD x Rx 1 0 0 2 2 1', 'The channel is not a number'],
    ['1.0 CANFD 1 Up', 'Rx or Tx is missing after the channel'],
    ['1.0 CANFD 1 1A0 Rx 0 0 x 1 1 1', 'The frame format is unknown'],
  ])('reads %s', (line, expected) => {
    expect(outcomeOf(line)).toBe(expected);
    // These columns are hex regardless of the base of the file.
    expect(outcomeOf(line, 'dec')).toBe(expected);
  });
});

describe('a line of a CAN XL channel', () => {
  it.each([
    [
      '59.171614 CANXL   2 Rx   CBFF   243215   176      432  Name f 8 e1 89 e8 c2 b9 6d 5a f1 174 00000000 00000000',
      '59171614000 2 rx can 432 - 15 E189E8C2B96D5AF1',
    ],
    [
      '1.0 CANXL 2 Tx CEFF 1 2 18FF50FFx 2 2 01 02 174 0',
      '1000000000 2 tx can 18FF50FF extended 2 0102',
    ],
    ['1.0 CANXL 2 Tx CBFF 1 2 432 3 0 174 10', '1000000000 2 tx can 432 remote 3'],
    [
      '1.0 CANXL 2 Rx FBFF 1 2 432 Name 9 12 1 2 3 4 5 6 7 8 9 A B C a 12345 00007240 00000000',
      '1000000000 2 rx canfd 432 fd|brs|esi 9 0102030405060708090A0B0C',
    ],
    ['1.0 CANXL 2 Rx FEFF 1 2 432 0 0', '1000000000 2 rx canfd 432 extended|fd 0'],
    ['1.0 CANXL 2 Rx XLFF 984438 4656 432 Name e0 0 1fe 511 1', 'skipped can_xl'],
    ['1.0 CANXL 2 TxRq XLFF 984438', 'skipped tx_request'],
    ['1.0 CANXL 2 Rx ErrorFrame whatever', '1000000000 2 rx can 0 error 0'],
    [
      '1.0 CANXL 2 Rx CBFF 1 2 432 9 12 1 2 3 4 5 6 7 8 9 A B C',
      'The DLC or the data length is out of range',
    ],
    ['1.0 CANXL 2 Rx ABCD 1 2 432', 'The frame format is unknown'],
    ['1.0 CANXL 2 Rx CBFF 1', 'The frame format is unknown'],
    ['1.0 CANXL 2 Rx CBFF 1 2 432x', 'The DLC or the data length is out of range'],
    ['1.0 CANXL 2 Rx CBFF 1 2 zz', 'The identifier is out of range'],
  ])('reads %s', (line, expected) => {
    expect(outcomeOf(line)).toBe(expected);
  });
});

describe('a line of LIN', () => {
  it.each([
    [
      '1.0 Li 23              Rx     4 4a 55 93 e5      checksum = 43   header time =  36, full time =  86  SOF =    1.000000  BR = 19200  break = 729167 104167   EOH =    1.001875   EOB =    1.002396 1.002917 1.003438 1.003958  sim = 0   EOF =    1.004479  RBR = 19200  HBR = 19200.000000  HSO = 0  RSO = 0  CSM = enhanced',
      '1000000000 1 rx lin 23 enhanced 4 cs43 4A5593E5',
    ],
    ['1.0 L2 23 Tx 1 4a checksum = B5 CSM = classic', '1000000000 2 tx lin 23 - 1 csB5 4A'],
    ['1.0 L12  3 Tx 1 4a checksum = b5 CSM = standard', '1000000000 12 tx lin 3 - 1 csB5 4A'],
    ['1.0 Li 23 Rx 0', '1000000000 1 rx lin 23 noChecksum|noModel 0 cs0'],
    ['1.0 Li 24 Rx 2 01 02', '1000000000 1 rx lin 24 noChecksum|noModel 2 cs0 0102'],
    ['1.0 Li 25 Rx 2 01 02 CSM = unknown', '1000000000 1 rx lin 25 noChecksum|noModel 2 cs0 0102'],
    [
      '1.0 Li 25 Rx 2 01 02 checksum = 77 CSM = error',
      '1000000000 1 rx lin 25 noModel 2 cs77 0102',
    ],
    ['1.0 Li 25 Rx 2 01 02 checksum = 177', '1000000000 1 rx lin 25 noChecksum|noModel 2 cs0 0102'],
    [
      '1.0 Li 25 Rx 2 01 02 CSM = enhanced',
      '1000000000 1 rx lin 25 enhanced|noChecksum 2 cs0 0102',
    ],
    [
      '1.0 Li 2d Rx 8 00 f0 f0 ff ff ff ff ff checksum = 70',
      '1000000000 1 rx lin 2D enhanced 8 cs70 00F0F0FFFFFFFFFF',
    ],
    [
      '1.0 Li 3c Tx 8 00 ff ff ff ff ff ff ff checksum = 00 CSM = classic',
      '1000000000 1 tx lin 3C sleep 8 cs0 00FFFFFFFFFFFFFF',
    ],
    [
      '1.0 Li 23 CSErr Rx 2 01 02 checksum = 43 CSM = classic',
      '1000000000 1 rx lin 23 checksumError 2 cs43 0102',
    ],
    [
      '1.0 Li 23 CSErr Rx 2 01 02 checksum = 5',
      '1000000000 1 rx lin 23 checksumError|noModel 2 cs5 0102',
    ],
    [
      '1.0 Li 23 TransmErr header time = 35, full time = 35 SOF = 1.0 CSM = enhanced',
      '1000000000 1 rx lin 23 noResponse 0 cs0',
    ],
    ['1.0 Li 23 TransmErr', '1000000000 1 rx lin 23 noResponse 0 cs0'],
    ['1.0 Li (33 8) RcvError: framing error', '1000000000 1 rx lin 33 error 8 cs0'],
    ['1.0 Li 33 8 RcvError: text StateReason = 12', '1000000000 1 rx lin 33 error 8 cs0'],
    ['1.0 Li 33 12 RcvError: text', '1000000000 1 rx lin 33 error 0 cs0'],
    [
      '1.0 Li 12 4 RcvError: x char = 12 StateReason = 11 ShortError = 0 DlcTimeout = 0 HasDatabytes = 1 11 22 33 44 SOF = 0.1',
      '1000000000 1 rx lin 12 error 4 cs0 11223344',
    ],
    ['1.0 Li 12 4 RcvError: x HasDatabytes = 0', '1000000000 1 rx lin 12 error 4 cs0'],
    ['1.0 Li 12 4 RcvError: x HasDatabytes = 1 11 22', '1000000000 1 rx lin 12 error 4 cs0'],
    ['1.0 Li RcvError: text', '1000000000 1 rx lin 0 error|noId 0 cs0'],
    [
      '1.0 L3 SyncError 1 2 3 40000 SOF = 0.5',
      '1000000000 3 rx lin 0 error|noId|syncError 0 cs0 010002000300409C',
    ],
    ['1.0 L3 SyncError 1 2', '1000000000 3 rx lin 0 error|noId|syncError 0 cs0'],
    ['1.0 L3 SyncError 1 2 3 70000', '1000000000 3 rx lin 0 error|noId|syncError 0 cs0'],
    [
      '1.0 Li WakeupFrame Tx 80 SOF = 1.0 BR = 19200 LengthCode = 0',
      '1000000000 1 tx lin 0 wakeUp 1 cs0 80',
    ],
    ['1.0 Li WakeupFrame Rx 00', '1000000000 1 rx lin 0 wakeUp 0 cs0'],
    ['1.0 Li WakeupFrame', '1000000000 1 rx lin 0 wakeUp 0 cs0'],
    [
      '1.0 Li SleepModeEvent 0 entering sleep mode due to sleep mode frame',
      '1000000000 1 rx lin 0 sleep 0 cs0',
    ],
    ['1.0 Li SleepModeEvent 0 leaving sleep mode', 'skipped lin_awake'],
    ['1.0 Li Unexpected wakeup: approx. 300 us', 'skipped lin_unexpected_wake_up'],
    ['1.0 Li 23 4 ShortOrSlowResponse: NumRespBytes = 1 12', 'skipped lin_slow_response'],
    ['1.0 Li 23 DlcInfo 4', 'skipped lin_dlc_info'],
    ['1.0 Li 23 CSInfo Using classic checksum', 'skipped lin_checksum_info'],
    ['1.0 Li Baudrate 19200', 'skipped lin_baud_rate'],
    ['1.0 Li Statistic 1 0.5 1 2 3 4 5', 'skipped statistics'],
    ['1.0 Li 23 TxRq 1 00', 'skipped tx_request'],
    ['1.0 Li Motor1 Rx 1 00', 'skipped symbolic'],
    ['1.0 Li Never heard of', 'skipped lin_other'],
    ['1.0 Li 40 Rx 1 00', 'The identifier is out of range'],
    ['1.0 Li 23 Rx 9 1 2 3 4 5 6 7 8 9', 'The DLC or the data length is out of range'],
    ['1.0 Li 23 Rx 2 1', 'Fewer data bytes than announced'],
    ['1.0 Li', 'The line ends after the channel or the identifier'],
    ['1.0 Li 23', 'The line ends after the channel or the identifier'],
  ])('reads %s', (line, expected) => {
    expect(outcomeOf(line)).toBe(expected);
  });

  it('is passed over where it has a name for an identifier', () => {
    expect(outcomeOf('1.0 Li Motor1 Rx 1 00')).toBe('skipped symbolic');
  });
});
