import { describe, expect, it } from 'vitest';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import {
  directionText,
  gapSentence,
  gapSum,
  idText,
  isFault,
  kindText,
  notationText,
  timeText,
} from './frame-text.ts';

describe('the sum of all gaps', () => {
  it.each([
    [0, 0, 0, 'no gaps'],
    [1, 1920, 0, '▲ 1 gap, 1,920 missing'],
    [2, 5, 1, '▲ 2 gaps, at least 5 missing'],
    [1, 0, 1, '▲ 1 gap, an unknown number missing'],
  ])(
    'of %i gaps, %i frames and %i that were not counted is “%s”',
    (gaps, missing, uncounted, text) => {
      expect(gapSum(gaps, missing, uncounted)).toBe(text);
    },
  );
});

const look = (flags: number, bus: number = busCode.can, errors = 1) => ({
  bus,
  kind: eventKindCode.rx_frame,
  id: 0x21,
  flags,
  dlc: 0,
  length: 0,
  errors,
});

describe('the notation of a frame', () => {
  const data = Uint8Array.of(0xaa, 0xbb, 0);
  const noted = (flags: number, bus: number = busCode.can) =>
    notationText({ ...look(flags, bus), dlc: 2, length: 2, data });

  it('can be passed to message send', () => {
    expect(noted(0)).toBe('021#AABB');
    expect(noted(frameFlag.extended)).toBe('00000021#AABB');
    expect(noted(frameFlag.remote)).toBe('021#R2');
    expect(noted(frameFlag.fd | frameFlag.brs, busCode.canfd)).toBe('021##1AABB');
    expect(noted(frameFlag.enhancedChecksum, busCode.lin)).toBe('21#AABB');
  });

  it.each(['error', 'noResponse', 'checksumError', 'syncBreak', 'wakeUp'] as const)(
    'is missing if the frame cannot be sent: %s',
    (flag) => {
      expect(noted(frameFlag[flag], busCode.lin)).toBe('');
    },
  );
});

describe('what a frame is called', () => {
  it.each([
    [look(0), 'CAN'],
    [look(frameFlag.remote), 'CAN remote'],
    [look(frameFlag.error), 'Error frame'],
    [look(frameFlag.error, busCode.can, 21_196), 'Error ×21196'],
    [look(frameFlag.error, busCode.can, 0), 'State change'],
    [{ ...look(frameFlag.error, busCode.lin, 0), id: 0 }, 'Device'],
    [look(frameFlag.fd), 'FD'],
    [look(frameFlag.fd | frameFlag.brs | frameFlag.esi), 'FD BRS ESI'],
    [look(frameFlag.enhancedChecksum, busCode.lin), 'LIN'],
    [look(frameFlag.checksumError, busCode.lin), 'LIN bad checksum'],
    [look(frameFlag.noResponse, busCode.lin), 'LIN no response'],
    [look(frameFlag.syncBreak, busCode.lin), 'LIN sync break'],
    [look(frameFlag.wakeUp, busCode.lin), 'LIN wake-up'],
    [look(frameFlag.sleep, busCode.lin), 'LIN sleep'],
  ])('calls %j %s', (frame, text) => {
    expect(kindText(frame)).toBe(text);
  });

  it('writes identifiers with as many digits as their kind has', () => {
    expect(idText(look(0))).toBe('021');
    expect(idText(look(frameFlag.extended))).toBe('00000021');
    expect(idText(look(0, busCode.lin))).toBe('21');
  });

  it('knows directions and faults', () => {
    expect(directionText({ ...look(0), kind: eventKindCode.tx_complete })).toBe('Tx');
    expect([isFault(look(0)), isFault(look(frameFlag.noResponse, busCode.lin))]).toEqual([
      false,
      true,
    ]);
  });

  it('says of a gap no more than is known', () => {
    expect(gapSentence(1, 7)).toBe('1 frame is missing after event 7');
    expect(gapSentence(1200, 7)).toContain('1,200 frames are missing');
    expect(gapSentence(Number.NaN, 7)).toContain('their number is unknown');
  });
});

describe('timeText', () => {
  it.each([
    [1_000_152, 1_000_000, '+0.000152'],
    [1_000_000, 1_000_152, '−0.000152'],
    [5, 5, '+0.000000'],
    [5, Number.NaN, ''],
  ])('of a row at %i behind one at %i is “%s”', (timestampUs, previousUs, text) => {
    expect(timeText({ timestampUs, previousUs }, 'delta', 0)).toBe(text);
  });
});
