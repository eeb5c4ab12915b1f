import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  benchNameError,
  framesSubject,
  nameOfToken,
  parseFramesSubject,
  signalsSubject,
  subjectToken,
} from './subjects.ts';

describe('subjects of a bench', () => {
  it('write bytes that a subject cannot contain as hexadecimal numbers', () => {
    expect(framesSubject('lab-1', 'powertrain')).toBe('busbar.lab-1.frames.powertrain');
    expect(framesSubject('lab-1', 'SIM00001/0')).toBe('busbar.lab-1.frames.SIM00001=2F0');
    expect(signalsSubject('lab_1', 'a.b', 'Motor > Öl*')).toBe(
      'busbar.lab_1.signals.a=2Eb.Motor=20=3E=20=C3=96l=2A',
    );
  });

  it('give every name a token of its own, from which it can be read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite' }), (name) => {
        const token = subjectToken(name);
        expect(token).toMatch(/^[A-Za-z0-9_=-]+$/);
        expect(nameOfToken(token)).toBe(name);
      }),
    );
  });

  it.each(['', 'a.b', 'a=2', 'a=2f', '=FF', 'a b', 'a=G0', '=C3'])(
    'are not read from a token that no name has: %j',
    (token) => {
      expect(nameOfToken(token)).toBeNull();
    },
  );

  it('are read as bench and channel', () => {
    expect(parseFramesSubject('busbar.lab-1.frames.SIM00001=2F0')).toEqual({
      bench: 'lab-1',
      channel: 'SIM00001/0',
    });
    for (const other of [
      'busbar.lab-1.pdus',
      'busbar.lab-1.frames',
      'busbar.lab-1.frames.a.b',
      'busbar.lab 1.frames.a',
      'other.lab-1.frames.a',
      'busbar.lab-1.frames.=ff',
    ]) {
      expect(parseFramesSubject(other), other).toBeNull();
    }
  });

  it('have benches with names that need no escapes', () => {
    for (const name of ['a', 'Lab-1_b', 'x'.repeat(64)]) expect(benchNameError(name)).toBeNull();
    for (const name of ['', 'a.b', 'a b', '*', '>', 'ä', 'x'.repeat(65), 'a\n']) {
      expect(benchNameError(name), name).toMatch(/^must have/);
    }
  });
});
