import { describe, expect, it } from 'vitest';
import type { Frame } from '../../frame/frame.ts';
import { frameFromRequest } from '../../frame/frame-request.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import { FramePattern } from './cyclic-task.ts';
import type { TxPattern } from './tx-task-request.ts';

const frameOf = (request: object): Frame => frameFromRequest({ id: 0, ...request }, 'canfd');

const sequence = (frame: Frame, pattern: TxPattern, length: number, seed = 1): string[] => {
  const source = new FramePattern(frame, pattern, seed);
  return Array.from({ length }, () => {
    const text = `${source.id.toString(16)}#${formatHex(source.data)}`;
    source.next();
    return text;
  });
};

describe('FramePattern', () => {
  it('leaves a fixed frame as it is', () => {
    expect(sequence(frameOf({ id: 1, data: 'AB' }), 'fixed', 3)).toEqual(['1#AB', '1#AB', '1#AB']);
  });

  it('counts the data up as one big-endian number, which wraps', () => {
    const counted = (data: string) => sequence(frameOf({ data }), 'increment_data', 3);
    expect(counted('00FE')).toEqual(['0#00FE', '0#00FF', '0#0100']);
    expect(counted('FFFFFE')).toEqual(['0#FFFFFE', '0#FFFFFF', '0#000000']);
    expect(counted('7F')).toEqual(['0#7F', '0#80', '0#81']);
  });

  it.each([
    ['standard', { id: 0x7fe }, ['7fe#', '7ff#', '0#', '1#']],
    ['extended', { id: 0x1ffffffe, extended: true }, ['1ffffffe#', '1fffffff#', '0#', '1#']],
  ])('counts %s identifiers up to the last and goes on with the first', (_which, request, ids) => {
    expect(sequence(frameOf(request), 'increment_id', 4)).toEqual(ids);
  });

  it('keeps off the identifiers that LIN has set aside', () => {
    const frame = frameFromRequest({ id: 0x3a, data: '01' }, 'lin');
    expect(sequence(frame, 'increment_id', 3)).toEqual(['3a#01', '3b#01', '0#01']);
  });

  it('makes the same random data from the same seed, and others from another', () => {
    const frame = frameOf({ data: '0000000000000000' });
    const once = sequence(frame, 'random_data', 50, 7);
    expect(sequence(frame, 'random_data', 50, 7)).toEqual(once);
    expect(new Set(once).size).toBe(50);
    expect(sequence(frame, 'random_data', 50, 8)).not.toEqual(once);
  });

  it('spreads random data over all values of a byte', () => {
    const frame = frameOf({ data: '00' });
    const values = new Set(sequence(frame, 'random_data', 10_000));
    expect(values.size).toBe(256);
  });

  it('does not change the frame it was made of', () => {
    const frame = frameOf({ data: 'FF' });
    sequence(frame, 'increment_data', 5);
    expect(formatHex(frame.data)).toBe('FF');
  });
});
