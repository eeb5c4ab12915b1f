import { describe, expect, it } from 'vitest';
import { DelayedAnswers } from './delayed-answers.ts';

describe('DelayedAnswers', () => {
  it('are due one after the other, each after its own time', () => {
    const answers = new DelayedAnswers();
    expect(answers).toMatchObject({ isEmpty: true, nextDueUs: Number.POSITIVE_INFINITY });
    answers.add(Uint8Array.of(1), 100, 1000);
    answers.add(Uint8Array.of(2, 2), 50, 1010);
    // A response without its own delay still follows the others.
    answers.add(Uint8Array.of(3), 0, 1020);
    expect(answers).toMatchObject({ isEmpty: false, nextDueUs: 1100, heldBytes: 4 });
    expect(answers.take(1099)).toBeUndefined();
    expect(answers.take(1100)).toEqual(Uint8Array.of(1));
    expect(answers.nextDueUs).toBe(1150);
    expect(answers.take(2000)).toEqual(Uint8Array.of(2, 2));
    expect(answers.take(2000)).toEqual(Uint8Array.of(3));
    expect(answers.take(2000)).toBeUndefined();
    expect(answers.heldBytes).toBe(0);
    answers.add(Uint8Array.of(4), 100, 5000);
    expect(answers.nextDueUs).toBe(5100);
  });
});
