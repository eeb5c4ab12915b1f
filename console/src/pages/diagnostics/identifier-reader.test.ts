import { describe, expect, it } from 'vitest';
import { IdentifierReader, keyOf, type Reading } from './identifier-reader.ts';

const reading = (value: string): Reading => ({
  ...{ did: 'F190', name: null, data: '00', value, quality: 'good', label: null },
});

/** A reader whose requests are answered by the test, and the requests in order. */
const setUp = () => {
  const asked: string[] = [];
  const pending: { resolve: (reading: Reading) => void; reject: (error: Error) => void }[] = [];
  let nowMs = 0;
  const reader = new IdentifierReader({
    read: (ecu, did) => {
      asked.push(keyOf(ecu, did));
      return new Promise((resolve, reject) => pending.push({ resolve, reject }));
    },
    now: () => nowMs,
  });
  const answer = async (settle: (request: (typeof pending)[number]) => void): Promise<void> => {
    const request = pending.shift();
    if (!request) throw new Error('Nothing was requested');
    settle(request);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return {
    ...{ reader, asked },
    at: (ms: number) => {
      nowMs = ms;
    },
    answer: (value: string) => answer(({ resolve }) => resolve(reading(value))),
    refuse: (message: string) => answer(({ reject }) => reject(new Error(message))),
    known: (did: string) => reader.known.value.get(keyOf('engine', did)),
  };
};

describe('a reader of identifiers', () => {
  it('has one request under way at a time, in order, each identifier once', async () => {
    const { reader, asked, answer, known } = setUp();
    void reader.read('engine', ['F190', 'F187']);
    void reader.read('engine', ['F187', 'F18C']);
    expect(asked).toEqual(['engine F190']);
    await answer('one');
    expect(asked).toEqual(['engine F190', 'engine F187']);
    await answer('two');
    await answer('three');
    expect(asked).toHaveLength(3);
    expect(reader.isBusy.value).toBe(false);
    expect(known('F18C')?.reading?.value).toBe('three');
  });

  it('keeps the last value, with its time, while later requests fail', async () => {
    const { reader, at, answer, refuse, known } = setUp();
    at(1000);
    void reader.read('engine', ['F190']);
    await answer('one');
    at(2000);
    void reader.read('engine', ['F190']);
    await refuse('no_response');
    expect(known('F190')).toEqual({
      ...{ reading: reading('one'), readAtMs: 1000, problem: 'no_response' },
    });
    void reader.read('engine', ['F190']);
    await answer('two');
    expect(known('F190')).toMatchObject({ readAtMs: 2000, problem: null });
  });

  it('continues with the next identifier after one was refused', async () => {
    const { reader, answer, refuse, known } = setUp();
    void reader.read('engine', ['F190', 'F187']);
    await refuse('request out of range');
    await answer('two');
    expect(known('F190')).toMatchObject({ reading: null, problem: 'request out of range' });
    expect(known('F187')?.reading?.value).toBe('two');
  });

  it('polls nothing while an answer is pending', async () => {
    const { reader, asked, answer } = setUp();
    void reader.poll('engine', ['F190', 'F187']);
    void reader.poll('engine', ['F190', 'F187']);
    await answer('one');
    await answer('two');
    expect(asked).toHaveLength(2);
    void reader.poll('engine', ['F190']);
    expect(asked).toHaveLength(3);
  });

  it('drops what waits when it is cancelled, and reads again afterwards', async () => {
    const { reader, asked, answer, known } = setUp();
    void reader.read('engine', ['F190', 'F187']);
    reader.cancel();
    await answer('one');
    expect([asked, reader.isBusy.value]).toEqual([['engine F190'], false]);
    void reader.read('engine', ['F187']);
    await answer('two');
    expect(known('F187')?.reading?.value).toBe('two');
  });
});
