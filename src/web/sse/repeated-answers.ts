import type { Clock, Timer } from '../../base/clock/clock.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import { isUnresponsive } from '../../gateway/plugins/plugin-guard.ts';

/** Something that a stream asks over and over for its client. */
export interface RepeatedQuestion {
  /** The name of its events. */
  readonly event: string;
  readonly periodMs: number;
  /** Whether an answer is sent even where it is the same as the one before. */
  readonly isAlwaysSent?: boolean;
  readonly ask: () => Promise<unknown>;
}

export interface AnswerOutlet {
  /** Whether the client takes more now. */
  readonly isReady: boolean;
  send(event: string, text: string): void;
}

const textOf = (answer: unknown): string =>
  answer instanceof JsonText ? Buffer.from(answer.bytes).toString() : stringifyJson(answer);

interface RepeatedAnswersOptions {
  readonly clock: Clock;
  readonly questions: readonly RepeatedQuestion[];
  readonly outlet: AnswerOutlet;
  readonly onDefect: (thrown: unknown) => void;
}

/**
 * Asks each question at once and then each period, one at a time, and sends the answers that differ
 * from the one before. A client that takes nothing is not asked for: it gets the latest answer when it is
 * ready again, and never a backlog.
 */
export class RepeatedAnswers {
  readonly #options: RepeatedAnswersOptions;
  readonly #timers = new Map<RepeatedQuestion, Timer>();
  #isRunning = false;
  #isClosed = false;

  constructor(options: RepeatedAnswersOptions) {
    this.#options = options;
  }

  /** Begins, once the client can be sent something. */
  resume(): void {
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    for (const question of this.#options.questions) void this.#ask(question, '');
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) timer.cancel();
  }

  async #ask(question: RepeatedQuestion, before: string): Promise<void> {
    const { clock, outlet, onDefect } = this.#options;
    const { event, periodMs, isAlwaysSent = false, ask } = question;
    let text = before;
    let isAnswered = false;
    if (outlet.isReady) {
      try {
        text = textOf(await ask());
        isAnswered = true;
      } catch (thrown) {
        // A bench thread that a plugin holds up answers again when that returns.
        if (!isUnresponsive(thrown)) onDefect(thrown);
      }
    }
    if (this.#isClosed) return;
    if (text !== before || (isAnswered && isAlwaysSent)) outlet.send(event, text);
    this.#timers.set(
      question,
      clock.after(periodMs, () => void this.#ask(question, text)),
    );
  }
}
