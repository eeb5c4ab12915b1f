import { beforeEach, describe, expect, it } from 'vitest';
import { canFrameUs } from '../../frame/can-bits.ts';
import { txQueueLength } from './slcan-settings.ts';
import { SlcanTransmitter, txWindow } from './slcan-transmitter.ts';

const pace = { bitrate: 500_000, characterUs: 0 };
const data = Uint8Array.of(0xaa, 0xbb);

/** A line that records its writes. */
class KeptLine {
  bufferedBytes = 0;
  text = '';
  answers = 0;

  write(bytes: Uint8Array, answers: number): void {
    this.text += Buffer.from(bytes).toString('latin1');
    this.answers += answers;
  }
}

describe('the frames of a channel without an outcome', () => {
  let transmitter: SlcanTransmitter;
  let line: KeptLine;
  beforeEach(() => {
    transmitter = new SlcanTransmitter();
    line = new KeptLine();
  });

  const push = (id: number) => transmitter.push(id, 0, 2, data, 0, 2);
  const flush = (nowUs = 0, answers = true) => transmitter.flush(line, answers, pace, nowUs);

  it('are written together, as many as the adapter may have at hand', () => {
    for (let id = 0; id < txWindow + 3; id++) push(id);
    flush();
    expect(line.text.split('\r').slice(0, 2)).toEqual(['t0002AABB', 't0012AABB']);
    expect([line.answers, transmitter.written, transmitter.waiting]).toEqual([
      txWindow,
      txWindow,
      3,
    ]);
    expect(transmitter.take()).toMatchObject({ id: 0, dlc: 2, length: 2 });
    flush();
    expect([transmitter.written, transmitter.waiting]).toEqual([txWindow, 2]);
    expect(line.text.endsWith('t0102AABB\r')).toBe(true);
  });

  it('wait while the line has not taken what was written before', () => {
    push(1);
    line.bufferedBytes = 1;
    flush();
    expect([line.text, transmitter.waiting]).toEqual(['', 1]);
    line.bufferedBytes = 0;
    flush();
    expect(line.text).toBe('t0012AABB\r');
  });

  it('are refused once the queue is full', () => {
    for (let id = 0; id < txQueueLength; id++) expect(push(id)).toBe(true);
    expect(push(0)).toBe(false);
    flush();
    expect(push(0)).toBe(true);
  });

  it('are due after each other, once their bits had their time', () => {
    const frameUs = canFrameUs(0, 1, 2, data, 0, pace.bitrate, pace.bitrate);
    push(1);
    push(1);
    flush(1_000, false);
    expect(line.answers).toBe(0);
    expect(transmitter.dueUs).toBeCloseTo(1_000 + frameUs, 6);
    transmitter.take();
    expect(transmitter.dueUs).toBeCloseTo(1_000 + 2 * frameUs, 6);
    transmitter.take();
    expect(transmitter.dueUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('are due later on a line that carries them slowly', () => {
    push(1);
    transmitter.flush(line, false, { ...pace, characterUs: 100 }, 0);
    const frameUs = canFrameUs(0, 1, 2, data, 0, pace.bitrate, pace.bitrate);
    expect(transmitter.dueUs).toBeCloseTo('t0012AABB\r'.length * 100 + frameUs, 6);
  });

  it('have left one after the other, as the line takes their bytes', () => {
    const length = 't0012AABB\r'.length;
    for (let id = 1; id <= 3; id++) push(id);
    flush(0, false);
    line.bufferedBytes = 2 * length + 1;
    expect(transmitter.hasLeft(line)).toBe(false);
    line.bufferedBytes = 2 * length;
    expect(transmitter.hasLeft(line)).toBe(true);
    transmitter.take();
    expect(transmitter.hasLeft(line)).toBe(false);
    line.bufferedBytes = 0;
    expect(transmitter.hasLeft(line)).toBe(true);
  });

  it('have left where the line holds back only what was written behind them', () => {
    push(1);
    flush(0, false);
    push(2);
    flush(0, false);
    line.bufferedBytes = 3;
    expect(transmitter.hasLeft(line)).toBe(true);
    transmitter.take();
    expect(transmitter.hasLeft(line)).toBe(false);
  });

  it('have their time on the bus from when the line took them', () => {
    const frameUs = canFrameUs(0, 1, 2, data, 0, pace.bitrate, pace.bitrate);
    push(1);
    push(1);
    flush(0, false);
    transmitter.drained(50_000);
    expect(transmitter.dueUs).toBeCloseTo(50_000 + frameUs, 6);
    transmitter.take();
    expect(transmitter.dueUs).toBeCloseTo(50_000 + 2 * frameUs, 6);
    push(1);
    flush(50_000, false);
    transmitter.take();
    expect(transmitter.dueUs).toBeCloseTo(50_000 + 3 * frameUs, 6);
  });

  it('are dropped in the order in which they came', () => {
    for (let id = 0; id < txWindow + 5; id++) push(id);
    flush();
    expect(transmitter.dropWritten()).toBe(txWindow);
    transmitter.dropWaiting(2);
    expect(transmitter.pending).toBe(3);
    flush();
    expect(transmitter.take()).toMatchObject({ id: txWindow + 2 });
  });
});
