import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settled } from '../api/testing/settled.ts';
import { stubPage } from '../api/testing/stub-page.ts';

interface Question {
  readonly text: string;
  readonly answer: (response: Response) => void;
}

const questions: Question[] = [];

beforeEach(() => {
  questions.length = 0;
  stubPage();
  vi.stubGlobal(
    'fetch',
    (_path: string, { body }: { body: string }) =>
      new Promise<Response>((answer) => {
        questions.push({ text: JSON.parse(body).condition, answer });
      }),
  );
});
afterEach(() => vi.unstubAllGlobals());

const question = async (number: number): Promise<Question> => {
  await settled(() => questions.length >= number);
  return questions[number - 1] as Question;
};

const fresh = async () => (await import('./condition-check.ts')).conditionCheck();

const refused = (): Response => {
  const error = { code: 'invalid_argument', message: 'No', details: {}, retryable: false };
  return Response.json({ error, request_id: '1' }, { status: 400 });
};

describe('a condition that is checked while it is typed', () => {
  it('is checked once more after a check, with the last text only', async () => {
    const { latest, check } = await fresh();
    check('err');
    check('erro');
    check('error');
    const first = await question(1);
    expect(first.text).toBe('err');
    first.answer(refused());
    const second = await question(2);
    expect(second.text).toBe('error');
    expect(latest.value).toMatchObject({ text: 'err', report: null });
    second.answer(Response.json({ condition: 'error' }));
    await settled(() => latest.value?.text === 'error');
    expect(latest.value).toMatchObject({ report: { condition: 'error' }, error: null });
    expect(questions).toHaveLength(2);
  });

  it('is not checked again while the same text is', async () => {
    const { latest, check } = await fresh();
    check('error');
    check('errors');
    check('error');
    (await question(1)).answer(Response.json({}));
    await settled(() => latest.value !== null);
    check('');
    await settled(() => latest.value === null);
    expect(questions).toHaveLength(1);
  });
});
