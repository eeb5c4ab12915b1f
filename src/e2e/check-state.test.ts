import { describe, expect, it } from 'vitest';
import {
  type CheckResult,
  type CheckState,
  isGood,
  LastFrameState,
  WindowState,
} from './check-state.ts';

const letters: Readonly<Record<string, CheckResult>> = {
  o: 'ok',
  l: 'ok_some_lost',
  i: 'initial',
  s: 'sync',
  r: 'repeated',
  w: 'wrong_sequence',
  e: 'error',
};

/** Whether the state is valid (V) or not (.) after each result. */
const statesAfter = (state: CheckState, results: string): string =>
  [...results]
    .map((letter) => {
      state.add(letters[letter] as CheckResult);
      return state.isValid ? 'V' : '.';
    })
    .join('');

describe('isGood', () => {
  it('is so for frames that may be used', () => {
    expect(Object.values(letters).filter(isGood)).toEqual(['ok', 'ok_some_lost', 'initial']);
  });
});

describe('the state without a window', () => {
  it.each([
    ['oooo', 'VVVV'],
    ['ieol', 'V.VV'],
    ['eeo', '..V'],
    ['rws', '...'],
    ['iwrso', 'VVVVV'],
    ['iewrso', 'V....V'],
  ])('follows the last frame that was good or broken: %s', (results, states) => {
    expect(statesAfter(new LastFrameState(), results)).toBe(states);
  });

  it('is not valid before a frame came, nor after a reset', () => {
    const state = new LastFrameState();
    expect(state.isValid).toBe(false);
    state.add('ok');
    state.reset();
    expect(state.isValid).toBe(false);
  });
});

describe('the state of a window', () => {
  it.each([
    [{ size: 1, min_ok: 1, max_error: 0 }, 'iorowose', 'VV.V.V..'],
    [{ size: 3, min_ok: 2, max_error: 0 }, 'iooeoooo', '.VV...VV'],
    [{ size: 3, min_ok: 2, max_error: 1 }, 'ioeoeeoo', '.VVV...V'],
    [{ size: 4, min_ok: 1, max_error: 4 }, 'eeeoeeee', '...VVVV.'],
    [{ size: 4, min_ok: 2, max_error: 1 }, 'iorwroo', '.VVV..V'],
    [{ size: 2, min_ok: 2, max_error: 0 }, 'iolso', '.VV..'],
  ])('of %o: %#', (window, results, states) => {
    expect(statesAfter(new WindowState(window), results)).toBe(states);
  });

  it('counts what is in the window, however long it goes on', () => {
    const window = { size: 5, min_ok: 2, max_error: 1 };
    const state = new WindowState(window);
    const results = Array.from({ length: 500 }, (_, index) =>
      'oerisolw'.charAt((index * index + 3 * index) % 7),
    );
    results.forEach((letter, index) => {
      state.add(letters[letter] as CheckResult);
      const last = results.slice(Math.max(0, index - 4), index + 1);
      const good = last.filter((one) => 'oli'.includes(one)).length;
      const broken = last.filter((one) => one === 'e').length;
      expect(state.isValid).toBe(good >= 2 && broken <= 1);
    });
  });

  it('is empty after a reset', () => {
    const state = new WindowState({ size: 3, min_ok: 2, max_error: 0 });
    expect(statesAfter(state, 'ooe')).toBe('.V.');
    state.reset();
    expect(state.isValid).toBe(false);
    expect(statesAfter(state, 'oo')).toBe('.V');
  });
});
