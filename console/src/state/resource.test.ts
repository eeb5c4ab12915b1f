import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { resource } from './resource.ts';

/** Answers that are given by hand, in the order of the questions. */
const aService = () => {
  const questions: {
    readonly resolve: (value: number) => void;
    readonly reject: (reason: ApiError) => void;
  }[] = [];
  const asked = resource(
    () => new Promise<number>((resolve, reject) => questions.push({ resolve, reject })),
  );
  const answer = (at: number, value: number): void => questions[at]?.resolve(value);
  return { asked, questions, answer };
};

describe('a resource that is refreshed', () => {
  it('has what the service tells after the question, not an answer under way', async () => {
    const { asked, questions, answer } = aService();
    const before = asked.refresh();
    const after = asked.refresh();
    answer(0, 1);
    await before;
    expect(asked.data.value).toBe(1);
    await Promise.resolve();
    expect(questions).toHaveLength(2);
    answer(1, 2);
    await after;
    expect(asked.data.value).toBe(2);
  });

  it('asks once for all who want it during the same question', async () => {
    const { asked, questions, answer } = aService();
    const all = [asked.refresh(), asked.refresh(), asked.refresh(), asked.refresh()];
    answer(0, 1);
    await all[0];
    await Promise.resolve();
    answer(1, 2);
    await Promise.all(all);
    expect([questions.length, asked.data.value]).toEqual([2, 2]);
  });

  it('asks again behind a question that failed', async () => {
    const { asked, questions, answer } = aService();
    const before = asked.refresh();
    const after = asked.refresh();
    questions[0]?.reject(new ApiError({ code: 'no_answer', message: 'No answer' }));
    await before;
    await Promise.resolve();
    answer(1, 2);
    await after;
    expect([asked.data.value, asked.error.value]).toEqual([2, null]);
  });
});
