import { BusbarError } from '../../base/errors/busbar-error.ts';
import { nearest } from '../../base/suggest.ts';
import type { AttachedDatabase } from '../../database/service/attached-database.ts';

/** `Message.Signal`, with `*` for either part. Without a message it is of any message. */
export interface SignalPattern {
  readonly text: string;
  readonly message: string | null;
  readonly signal: string | null;
}

const partOf = (text: string): string | null => (text === '*' ? null : text);

export const parseSignalPattern = (text: string): SignalPattern => {
  const dot = text.indexOf('.');
  const message = dot === -1 ? null : partOf(text.slice(0, dot));
  return { text, message, signal: partOf(text.slice(dot + 1)) };
};

export type SignalFilter = (message: string, signal: string) => boolean;

/** No patterns select everything. */
export const signalFilter = (patterns: readonly SignalPattern[]): SignalFilter => {
  if (patterns.length === 0) return () => true;
  return (message, signal) =>
    patterns.some(
      (pattern) =>
        (pattern.message === null || pattern.message === message) &&
        (pattern.signal === null || pattern.signal === signal),
    );
};

const matches = (databases: readonly AttachedDatabase[], pattern: SignalPattern): boolean =>
  databases.some((database) => {
    const heads = pattern.message === null ? database.heads : [database.headNamed(pattern.message)];
    return heads.some(
      (head) =>
        head !== undefined &&
        (pattern.signal === null ||
          database.message(head).signals.some(({ name }) => name === pattern.signal)),
    );
  });

const maxSuggested = 2000;

const namesNear = function* (
  databases: readonly AttachedDatabase[],
  { message, signal }: SignalPattern,
): Generator<string> {
  const isMessageKnown = message !== null && databases.some((one) => one.headNamed(message));
  let left = maxSuggested;
  for (const database of databases) {
    for (const head of database.heads) {
      if (left-- === 0) return;
      if (isMessageKnown && head.name !== message) continue;
      for (const { name } of database.message(head).signals) {
        if (message === null) yield name;
        else yield signal === null ? `${head.name}.*` : `${head.name}.${name}`;
      }
    }
  }
};

/** Every pattern must select a signal, so that a misspelt one is not silent. */
export const checkPatterns = (
  patterns: readonly SignalPattern[],
  databases: readonly AttachedDatabase[],
  field: string,
): void => {
  for (const [index, pattern] of patterns.entries()) {
    if (matches(databases, pattern)) continue;
    throw new BusbarError('signal_not_found', {
      message: `No attached database has a signal ${pattern.text}`,
      details: {
        field: `${field}[${index}]`,
        signal: pattern.text,
        databases: databases.map(({ name }) => name),
      },
      hint: nearest(pattern.text, namesNear(databases, pattern)),
    });
  }
};
