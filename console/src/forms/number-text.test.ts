import { describe, expect, it } from 'vitest';
import {
  idOf,
  integerOf,
  microsecondsOf,
  millisecondsText,
  numberOf,
  shownId,
} from './number-text.ts';

describe('integerOf', () => {
  it.each([
    ['0x123', 0x123],
    ['0X1aB', 0x1ab],
    ['123h', 0x123],
    ['1FH', 0x1f],
    ['291', 291],
    [' 0 ', 0],
    ['-1', -1],
    ['', undefined],
    ['  ', undefined],
  ])('reads %j as %s', (text, id) => {
    expect(integerOf(text)).toBe(id);
  });

  it.each(['1A0', '0x', 'x12', '1.5', '12 34', '1e3', 'h'])('leaves %j to be refused', (text) => {
    expect(integerOf(text)).toBe(text);
  });
});

describe('idOf', () => {
  it.each([
    ['123', 0x123],
    ['7DF', 0x7df],
    ['0x1aB', 0x1ab],
    ['123h', 0x123],
    [' 18FF50E5 ', 0x18ff50e5],
    ['', undefined],
  ])('reads %j as it is printed', (text, id) => {
    expect(idOf(text)).toBe(id);
  });

  it.each(['engine', '-1', '1.5', '123456789', '20000000'])('leaves %j to be refused', (text) => {
    expect(idOf(text)).toBe(text);
  });
});

describe('shownId', () => {
  it('is hex of the usual width', () => {
    expect(shownId('0x123')).toBe('123');
    expect(shownId('1fh')).toBe('01F');
    expect(shownId('18ff50e5', 8)).toBe('18FF50E5');
    expect(shownId('123', 8)).toBe('00000123');
    expect(shownId('21', 2)).toBe('21');
  });

  it('leaves alone what is no identifier', () => {
    expect(shownId(' engine ')).toBe('engine');
    expect(shownId('-4')).toBe('-4');
    expect(shownId('')).toBe('');
  });
});

describe('numberOf', () => {
  it.each([
    ['10', 10],
    ['-3', -3],
    ['2.5', 2.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['', undefined],
    ['ten', 'ten'],
    ['0x10', '0x10'],
    ['Infinity', 'Infinity'],
  ])('reads %j as %s', (text, expected) => {
    expect(numberOf(text)).toBe(expected);
  });
});

describe('microsecondsOf', () => {
  it.each([
    ['10', 10_000],
    ['0.5', 500],
    ['0.001', 1],
    ['1.0005', 1000.5],
    ['8.7', 8700],
    ['', undefined],
    ['soon', 'soon'],
  ])('takes %j milliseconds for %j', (text, us) => {
    expect(microsecondsOf(text)).toBe(us);
  });

  it('reads back what fields show', () => {
    for (const us of [1, 100, 8700, 10_000, 1_000_000]) {
      expect(microsecondsOf(millisecondsText(us))).toBe(us);
    }
    expect(millisecondsText(undefined)).toBe('');
  });
});
