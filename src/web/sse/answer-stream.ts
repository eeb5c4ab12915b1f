import type { Clock, Timer } from '../../base/clock/clock.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import {
  type Cursor,
  RoundRobin,
  type Sink,
  type Subscription,
  type SubscriptionHandle,
  type Visitor,
} from '../../base/subscription.ts';
import { isUnresponsive } from '../../gateway/plugins/plugin-guard.ts';
import { modbusStream } from '../../operations/modbus-stream.ts';
import { stateStream } from '../../operations/state-stream.ts';
import { channelTrafficStream } from '../../operations/traffic.ts';
import { type Invoke, type PeriodicQuery, repeatedQuestions } from '../http/repeated-questions.ts';
import type { SseEncoder, SseStream } from './sse-body.ts';

const textOf = (answer: unknown): string =>
  answer instanceof JsonText ? Buffer.from(answer.bytes).toString() : stringifyJson(answer);

class AnswerCursor implements Cursor<string, string> {
  readonly questions: readonly PeriodicQuery[];
  readonly timers = new Map<PeriodicQuery, Timer>();
  readonly answers = new Map<PeriodicQuery, string>();
  isAsking = false;

  constructor(questions: readonly PeriodicQuery[]) {
    this.questions = questions;
  }

  get hasBacklog(): boolean {
    return this.answers.size > 0;
  }

  pass(visitor: Visitor<string, string>): number {
    let delivered = 0;
    for (const [question, text] of this.answers) {
      this.answers.delete(question);
      delivered += 1;
      if (!visitor.item(text, question.event)) break;
    }
    return delivered;
  }

  last(visitor: Visitor<string, string>): void {
    while (this.pass(visitor) > 0);
  }
}

type AnswerSubscription = Subscription<string, string, AnswerCursor>;

/**
 * Runs each query immediately and then periodically, and sends answers that differ from the
 * previous one. While a client is not ready, no query runs for it. When it is ready again, it
 * receives the latest answer, never a backlog.
 */
export class RepeatedAnswers {
  readonly #clock: Clock;
  readonly #onDefect: (thrown: unknown) => void;
  readonly #robin: RoundRobin<string, string, AnswerCursor>;

  constructor({ clock, onDefect }: { clock: Clock; onDefect: (thrown: unknown) => void }) {
    this.#clock = clock;
    this.#onDefect = onDefect;
    this.#robin = new RoundRobin({
      slice: 1,
      perPass: Number.POSITIVE_INFINITY,
      onResume: (subscription) => this.#resume(subscription),
      onRemoved: ({ cursor }) => {
        for (const timer of cursor.timers.values()) timer.cancel();
      },
      onDefect,
    });
  }

  subscribe(questions: readonly PeriodicQuery[], sink: Sink<string, string>): SubscriptionHandle {
    return this.#robin.subscribe({ cursor: new AnswerCursor(questions), sink });
  }

  #resume(subscription: AnswerSubscription): void {
    const { cursor } = subscription;
    this.#robin.drain(subscription);
    if (cursor.isAsking) return;
    cursor.isAsking = true;
    for (const question of cursor.questions) void this.#ask(subscription, question, '');
  }

  async #ask(
    subscription: AnswerSubscription,
    question: PeriodicQuery,
    before: string,
  ): Promise<void> {
    const { cursor } = subscription;
    let text = before;
    let isAnswered = false;
    if (subscription.isReady) {
      try {
        text = textOf(await question.ask());
        isAnswered = true;
      } catch (thrown) {
        if (!isUnresponsive(thrown)) this.#onDefect(thrown);
      }
    }
    if (text !== before || (isAnswered && question.isAlwaysSent)) {
      cursor.answers.set(question, text);
      this.#robin.drain(subscription);
    }
    if (!subscription.isOpen) return;
    const { periodMs } = question;
    cursor.timers.set(
      question,
      this.#clock.after(periodMs, () => void this.#ask(subscription, question, text)),
    );
  }
}

const answerEncoder: SseEncoder<string, string> = {
  item: (body, text, event) => body.text(`event: ${event}\ndata: ${text}\n\n`),
  end: (body, reason) => void body.text(`event: end\ndata: {"reason":"${reason}"}\n\n`),
};

export const answerStreams = (answers: RepeatedAnswers, invoke: Invoke): readonly SseStream[] =>
  [channelTrafficStream, modbusStream, stateStream].map((operation) => ({
    operation,
    greeting: 'answers follow',
    subscribe: (body, query) => {
      const questions = repeatedQuestions(operation.id, query, invoke);
      return answers.subscribe(questions, body.sink(answerEncoder));
    },
  }));
