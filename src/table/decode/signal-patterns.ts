import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { suggest } from '../../base/suggest.ts';
import type { Message } from '../../database/model.ts';

interface SignalPattern {
  readonly text: string;
  readonly message: string;
  readonly signal: string;
}

const field = 'signals';
const anything = '*';
/** More candidates take long to compare. */
const comparedNames = 20_000;

const patternOf = (text: string): SignalPattern => {
  const point = text.indexOf('.');
  const [message, signal] = [text.slice(0, point), text.slice(point + 1)];
  if (point > 0 && signal !== '') return { text, message, signal };
  throw invalidArgument(field, `${text} is not Message.Signal; * stands for any name`, {
    reason: 'invalid_pattern',
    pattern: text,
  });
};

const matches = (pattern: string, name: string): boolean => {
  const parts = pattern.split(anything);
  if (parts.length === 1) return pattern === name;
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
};

const hintOf = (nearest: string | null): string =>
  nearest === null ? '' : `; did you mean ${nearest}?`;

const notFound = (
  code: 'message_not_found' | 'signal_not_found',
  { text }: SignalPattern,
  what: string,
  name: string,
  names: readonly string[],
): BusbarError => {
  const nearest = suggest(name, names.slice(0, comparedNames));
  return new BusbarError(code, {
    message: `No database has a ${what} ${name}${hintOf(nearest)}`,
    details: { field, pattern: text, nearest },
  });
};

/** Selects signals by name. Every pattern must match a signal of some message. */
export class SignalPatterns {
  readonly #patterns: readonly SignalPattern[] | null;

  constructor(texts: readonly string[] | null) {
    this.#patterns = texts?.map(patternOf) ?? null;
  }

  takes(message: string, signal: string): boolean {
    return (
      this.#patterns?.some(
        (pattern) => matches(pattern.message, message) && matches(pattern.signal, signal),
      ) ?? true
    );
  }

  check(messages: readonly Message[]): void {
    for (const pattern of this.#patterns ?? []) {
      const found = messages.filter(({ name }) => matches(pattern.message, name));
      if (found.length === 0) {
        const names = messages.map(({ name }) => name);
        throw notFound('message_not_found', pattern, 'message', pattern.message, names);
      }
      const signals = found.flatMap((message) => message.signals.map(({ name }) => name));
      if (signals.some((name) => matches(pattern.signal, name))) continue;
      const owner = found.length === 1 ? `${pattern.message}.` : '';
      const full = signals.map((name) => `${owner}${name}`);
      throw notFound('signal_not_found', pattern, 'signal', `${owner}${pattern.signal}`, full);
    }
  }
}
