import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { latestValues } from './latest-values.ts';

const refusal = (field: string): ApiError =>
  new ApiError({ code: 'invalid_argument', message: `${field} is wrong`, details: { field } });

/** Lets the answer of a request be taken. */
const taken = () => new Promise((done) => setImmediate(done));

const setUp = () => {
  const sent: Readonly<Record<string, string>>[] = [];
  let answer: { resolve: () => void; reject: (error: ApiError) => void } = {
    resolve: () => {},
    reject: () => {},
  };
  const latest = latestValues((texts) => {
    sent.push(texts);
    return new Promise<void>((resolve, reject) => {
      answer = { resolve, reject };
    });
  });
  return {
    latest,
    sent,
    resolve: async () => {
      answer.resolve();
      await taken();
    },
    reject: async (field: string) => {
      answer.reject(refusal(field));
      await taken();
    },
  };
};

describe('values that are changed with a slider', () => {
  it('are sent one request at a time, and the last one wins', async () => {
    const { latest, sent, resolve } = setUp();
    for (const text of ['1', '2', '3']) latest.put('Speed', text);
    latest.put('Gear', 'first');
    expect(sent).toEqual([{ Speed: '1' }]);
    await resolve();
    expect(sent).toEqual([{ Speed: '1' }, { Speed: '3', Gear: 'first' }]);
    expect(latest.drafts.value).toEqual({ Speed: '3', Gear: 'first' });
    await resolve();
    expect(sent).toHaveLength(2);
    expect(latest.drafts.value).toEqual({});
  });

  it('are kept where they are refused, and the others are sent again', async () => {
    const { latest, sent, resolve, reject } = setUp();
    latest.put('Gear', 'first');
    latest.put('Speed', '9000');
    latest.put('Lamp', 'on');
    await resolve();
    await reject('signals.Speed');
    expect(sent.at(-1)).toEqual({ Lamp: 'on' });
    expect(latest.drafts.value).toEqual({ Speed: '9000', Lamp: 'on' });
    await resolve();
    expect(latest.problemOf('Speed')).toBe('signals.Speed is wrong');
    expect(latest.drafts.value).toEqual({ Speed: '9000' });
    latest.put('Speed', '800');
    expect(latest.problemOf('Speed')).toBeNull();
    await resolve();
    expect(sent.at(-1)).toEqual({ Speed: '800' });
    expect(latest.drafts.value).toEqual({});
  });

  it('return to what the service has where the request fails', async () => {
    const { latest, sent, reject } = setUp();
    latest.put('Speed', '1');
    await reject('task_id');
    expect(sent).toHaveLength(1);
    expect(latest.drafts.value).toEqual({});
    expect(latest.error.value?.field).toBe('task_id');
  });
});
