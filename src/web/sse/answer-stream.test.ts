import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { RepeatedAnswers } from './answer-stream.ts';

const rig = (values: readonly (() => unknown)[], isAlwaysSent = false) => {
  const clock = new FakeClock();
  const sent: string[] = [];
  const defects: unknown[] = [];
  const sink = {
    kind: 'sse' as const,
    isReady: true,
    item: (text: string, event: string) => sent.push(event + text) > 0,
    flush: () => undefined,
    end: () => undefined,
  };
  let asked = 0;
  const ask = async (): Promise<unknown> => values[Math.min(asked++, values.length - 1)]?.();
  const answers = new RepeatedAnswers({ clock, onDefect: (thrown) => defects.push(thrown) });
  const questions = [{ event: 'count', periodMs: 1000, isAlwaysSent, ask }];
  const repeated = answers.subscribe(questions, sink);
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.advanceUs(1_000_000);
      await settle();
    }
  };
  return { repeated, sink, sent, defects, settle, pass, asked: () => asked };
};

const constant = (value: unknown) => () => value;

describe('RepeatedAnswers', () => {
  it('answers at once when the client is there, and then each period', async () => {
    const { repeated, sent, settle, pass } = rig([1, 2, 3].map(constant));
    await pass(2);
    expect(sent).toEqual([]);
    repeated.resume();
    repeated.resume();
    await settle();
    expect(sent).toEqual(['count1']);
    await pass(2);
    expect(sent).toEqual(['count1', 'count2', 'count3']);
  });

  it('sends what was written as JSON already as it is', async () => {
    const { repeated, sent, settle } = rig([constant(JsonText.of({ a: 1 }))]);
    repeated.resume();
    await settle();
    expect(sent).toEqual(['count{"a":1}']);
  });

  it('leaves out an answer that is the same as before', async () => {
    const { repeated, sent, settle, pass } = rig([1, 1, 2].map(constant));
    repeated.resume();
    await settle();
    await pass(3);
    expect(sent).toEqual(['count1', 'count2']);
  });

  it('sends it all the same where every answer is wanted', async () => {
    const { repeated, sent, settle, pass } = rig([1, 1].map(constant), true);
    repeated.resume();
    await settle();
    await pass(1);
    expect(sent).toEqual(['count1', 'count1']);
  });

  it('asks nothing for a client that takes nothing, and goes on when it does', async () => {
    const { repeated, sink, sent, settle, pass, asked } = rig([1, 2].map(constant));
    repeated.resume();
    await settle();
    sink.isReady = false;
    await pass(5);
    expect(asked()).toBe(1);
    sink.isReady = true;
    await pass(1);
    expect(sent).toEqual(['count1', 'count2']);
  });

  it('keeps the latest answer for a client that was not ready when it came', async () => {
    const { repeated, sink, sent, settle } = rig([1].map(constant));
    repeated.resume();
    sink.isReady = false;
    await settle();
    expect(sent).toEqual([]);
    sink.isReady = true;
    repeated.resume();
    expect(sent).toEqual(['count1']);
  });

  describe('for a client that was not ready for several answers', () => {
    const hold = async () => {
      const sent: string[] = [];
      const sink = {
        kind: 'sse' as const,
        isReady: true,
        // A write has room for one.
        item: (text: string, event: string) => {
          sent.push(event + text);
          return false;
        },
        flush: () => undefined,
        end: () => sent.push('end'),
      };
      const answers = new RepeatedAnswers({ clock: new FakeClock(), onDefect: () => undefined });
      const questions = ['a', 'b', 'c'].map((event) => ({
        ...{ event, periodMs: 1000, isAlwaysSent: false },
        ask: async () => 1,
      }));
      const repeated = answers.subscribe(questions, sink);
      repeated.resume();
      sink.isReady = false;
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      expect(sent).toEqual([]);
      return { repeated, sink, sent };
    };

    it('delivers all of them when it is ready, in as many writes as they take', async () => {
      const { repeated, sink, sent } = await hold();
      sink.isReady = true;
      repeated.resume();
      expect(sent).toEqual(['a1', 'b1', 'c1']);
    });

    it('delivers all of them before the end', async () => {
      const { repeated, sent } = await hold();
      repeated.end('shut_down');
      expect(sent).toEqual(['a1', 'b1', 'c1', 'end']);
    });
  });

  it('goes on after a question that failed, which it reports', async () => {
    const failure = new Error('no answer');
    const fail = (): never => {
      throw failure;
    };
    const { repeated, sent, defects, settle, pass } = rig([fail, constant(7)]);
    repeated.resume();
    await settle();
    await pass(1);
    expect(defects).toEqual([failure]);
    expect(sent).toEqual(['count7']);
  });

  it('sends nothing once it is closed, not even what was under way', async () => {
    const { repeated, sent, settle, pass } = rig([1, 2].map(constant));
    repeated.resume();
    repeated.close();
    await settle();
    await pass(3);
    repeated.resume();
    await settle();
    expect(sent).toEqual([]);
  });
});
