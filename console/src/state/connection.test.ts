import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settled } from '../api/testing/settled.ts';

/** A health request that the test answers. */
interface Question {
  readonly authorization: string | undefined;
  readonly answer: (response: Response) => void;
  readonly fail: () => void;
}

const questions: Question[] = [];
const closing: (() => void)[] = [];

/** A browser tab: a console with its own state. */
const openTab = async (token: string) => {
  vi.resetModules();
  const { rememberedToken } = await import('../storage/remembered.ts');
  rememberedToken.set(token);
  const tab = await import('./connection.ts');
  tab.watchConnection();
  return { ...tab, rememberedToken };
};

const healthy = (): Response => Response.json({ status: 'ok' });

/** Waits for a request, counted from 1. */
const question = async (number: number): Promise<Question> => {
  await settled(() => questions.length >= number);
  return questions[number - 1] as Question;
};

beforeEach(() => {
  questions.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('location', { host: 'bench:8080' });
  vi.stubGlobal('document', { addEventListener: () => {} });
  vi.stubGlobal(
    'BroadcastChannel',
    class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        closing.push(() => this.close());
      }
    },
  );
  vi.stubGlobal(
    'fetch',
    (_path: string, { headers }: { headers: Readonly<Record<string, string>> }) =>
      new Promise((answer, refuse) => {
        const fail = (): void => refuse(new TypeError('Failed to fetch'));
        questions.push({ authorization: headers.authorization, answer, fail });
      }),
  );
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the connection of several tabs to one service', () => {
  it('is live in all of them when one has an answer, whatever becomes of their own questions', async () => {
    const one = await openTab('right');
    const other = await openTab('right');
    const [asked, waiting] = [await question(1), await question(2)];
    asked.answer(healthy());
    await settled(() => other.connection.value === 'live');
    expect(one.connection.value).toBe('live');
    waiting.fail();
    // The tab with the answer keeps polling; tabs that only received it do not.
    const heardAt = other.answeredAt.value;
    vi.advanceTimersByTime(2000);
    (await question(3)).answer(healthy());
    await settled(() => other.answeredAt.value !== heardAt);
    expect([other.connection.value, questions.length]).toEqual(['live', 3]);
  });

  it('is looked after by another tab when nothing is heard of the first', async () => {
    await openTab('right');
    const other = await openTab('right');
    (await question(1)).answer(healthy());
    await settled(() => other.connection.value === 'live');
    // Both send requests during this time; only one of them can be answered now.
    vi.advanceTimersByTime(5000);
    (await question(3)).fail();
    (await question(4)).fail();
    await settled(() => other.connection.value === 'unreachable');
  });

  it('is not told by an answer that is heard too late', async () => {
    const { connection } = await openTab('right');
    const asked = await question(1);
    const [frozen, listening] = [1, 2].map(() => new BroadcastChannel('busbar.connection'));
    let isHeard = false;
    if (listening) {
      listening.onmessage = () => {
        isHeard = true;
      };
    }
    frozen?.postMessage({ token: 'right', health: { status: 'ok' }, atMs: Date.now() - 2001 });
    await settled(() => isHeard);
    asked.fail();
    await settled(() => connection.value !== 'connecting');
    expect(connection.value).toBe('unreachable');
  });

  it('is no concern of a tab with another token', async () => {
    const one = await openTab('right');
    const other = await openTab('wrong');
    const [right, wrong] = [await question(1), await question(2)];
    expect([right.authorization, wrong.authorization]).toEqual(['Bearer right', 'Bearer wrong']);
    right.answer(healthy());
    await settled(() => one.connection.value === 'live');
    const refusal = {
      error: { code: 'unauthorized', message: 'No', details: {}, retryable: false },
    };
    wrong.answer(Response.json(refusal, { status: 401 }));
    await settled(() => other.connection.value === 'token');
    expect(one.connection.value).toBe('live');
  });

  it('serves nothing from when the token is forgotten until the service has answered', async () => {
    const { connection, isServed, forgetToken } = await openTab('right');
    (await question(1)).answer(healthy());
    await settled(() => connection.value === 'live');
    forgetToken();
    expect(isServed.value).toBe(false);
    const asked = await question(2);
    expect(asked.authorization).toBeUndefined();
    asked.answer(healthy());
    await settled(() => connection.value === 'live');
  });

  it('ends with the token in every tab that has the same', async () => {
    const tabs = [await openTab('right'), await openTab('right'), await openTab('other')];
    tabs[0]?.forgetToken();
    await settled(() => tabs[1]?.rememberedToken.get() === null);
    expect(tabs.map(({ rememberedToken }) => rememberedToken.get())).toEqual([null, null, 'other']);
  });
});
