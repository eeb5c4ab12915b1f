import { beforeEach, describe, expect, it } from 'vitest';
import { GatheredPieces } from './gathered-pieces.ts';

let passed: string[];
let due: (() => void) | null;
let pieces: GatheredPieces;

const put = (text: string, position: number, isFirst = false): void =>
  pieces.put({ text, position, isFirst });

beforeEach(() => {
  passed = [];
  due = null;
  pieces = new GatheredPieces({
    pass: ({ text, position, isFirst }) =>
      passed.push(`${text} until ${position}${isFirst ? ', first' : ''}`),
    later: (run) => {
      due = run;
      return () => {
        due = null;
      };
    },
  });
});

describe('pieces of a stream', () => {
  it('are passed on together if they soon follow another', () => {
    put('a', 1, true);
    put('b', 2);
    put('c', 3);
    expect(passed).toEqual(['a until 1, first']);
    due?.();
    expect(passed).toEqual(['a until 1, first', 'bc until 3']);
    put('d', 4);
    expect(passed).toHaveLength(3);
  });

  it('of another connection are not added to those of the last', () => {
    put('a', 1, true);
    put('b', 2);
    put('c', 3, true);
    expect(passed).toEqual(['a until 1, first', 'b until 2', 'c until 3, first']);
  });

  it('are dropped when their reader leaves', () => {
    put('a', 1);
    put('b', 2);
    pieces.stop();
    expect([passed, due, pieces.isEmpty]).toEqual([['a until 1'], null, true]);
  });
});
