import { signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';

/** A part of the console that is told what an operation answers, whenever that is another. */
export interface Follower {
  readonly operation: string;
  take(answer: unknown): void;
  /** Nothing newer can be had, for that reason. */
  fail(error: ApiError): void;
}

const all = signal<readonly Follower[]>([]);

/** Those that want to be told now. */
export const followers = all;

/** Answers how to stop. */
export const follow = (follower: Follower): (() => void) => {
  all.value = [...all.peek(), follower];
  return () => {
    all.value = all.peek().filter((each) => each !== follower);
  };
};
