import { nearestName } from '../base/suggest.ts';

const anything = '*';

/** A name as the texts between its `*`. */
type NamePattern = readonly string[];

/** `Message.Signal`, where `*` stands for any part of a name. Without a message it is of any. */
export interface SignalPattern {
  readonly text: string;
  readonly message: NamePattern;
  readonly signal: NamePattern;
}

export const parseSignalPattern = (text: string): SignalPattern => {
  const dot = text.indexOf('.');
  const message = dot === -1 ? anything : text.slice(0, dot);
  return { text, message: message.split(anything), signal: text.slice(dot + 1).split(anything) };
};

const matches = (pattern: NamePattern, name: string): boolean => {
  const first = pattern[0] as string;
  if (pattern.length === 1) return name === first;
  const last = pattern.at(-1) as string;
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of pattern.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
};

export type SignalFilter = (message: string, signal: string) => boolean;

/** No patterns select everything. */
export const signalFilter = (patterns: readonly SignalPattern[]): SignalFilter => {
  if (patterns.length === 0) return () => true;
  return (message, signal) =>
    patterns.some(
      (pattern) => matches(pattern.message, message) && matches(pattern.signal, signal),
    );
};

/** A message whose signals may be read when they are needed. */
export interface NamedMessage {
  readonly name: string;
  readonly signalNames: () => readonly string[];
}

export interface UnmatchedPattern {
  readonly index: number;
  readonly pattern: SignalPattern;
  readonly missing: 'message' | 'signal';
  /** The name that no message or no signal has. */
  readonly name: string;
  /** The nearest message, or signal with the message if only one can be meant. */
  readonly nearest: string | null;
  /** The pattern with the nearest names. */
  readonly suggestion: string | null;
}

/** The first pattern that selects no signal, so that a misspelt one is not silent. */
export const findUnmatched = (
  patterns: readonly SignalPattern[],
  messages: readonly NamedMessage[],
): UnmatchedPattern | null => {
  for (const [index, pattern] of patterns.entries()) {
    const found = messages.filter(({ name }) => matches(pattern.message, name));
    const hasSignal = ({ signalNames }: NamedMessage): boolean =>
      signalNames().some((name) => matches(pattern.signal, name));
    if (found.some(hasSignal)) continue;
    return {
      index,
      pattern,
      ...(found.length === 0 ? withoutMessage(pattern, messages) : withoutSignal(pattern, found)),
    };
  }
  return null;
};

type Missing = Pick<UnmatchedPattern, 'missing' | 'name' | 'nearest' | 'suggestion'>;

const nearestSignal = (pattern: SignalPattern, messages: readonly NamedMessage[]): string | null =>
  nearestName(pattern.signal.join(anything), namesIn(messages));

const namesIn = function* (messages: readonly NamedMessage[]): Generator<string> {
  for (const { signalNames } of messages) yield* signalNames();
};

const withoutMessage = (pattern: SignalPattern, messages: readonly NamedMessage[]): Missing => {
  const name = pattern.message.join(anything);
  const nearest = nearestName(
    name,
    messages.map((message) => message.name),
  );
  const meant = messages.find((message) => message.name === nearest);
  const signal = pattern.signal.join(anything);
  const isKnown = meant?.signalNames().some((each) => matches(pattern.signal, each)) ?? false;
  const near =
    meant === undefined || isKnown ? signal : (nearestSignal(pattern, [meant]) ?? signal);
  const suggestion = nearest === null ? null : `${nearest}.${near}`;
  return { missing: 'message', name, nearest, suggestion };
};

const withoutSignal = (pattern: SignalPattern, found: readonly NamedMessage[]): Missing => {
  const owner = found.length === 1 ? `${found[0]?.name}.` : '';
  const signal = nearestSignal(pattern, found);
  const nearest = signal === null ? null : `${owner}${signal}`;
  const name = `${owner}${pattern.signal.join(anything)}`;
  return { missing: 'signal', name, nearest, suggestion: nearest };
};
