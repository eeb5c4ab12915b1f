import type { ValueSource } from './completion-model.ts';

/** Text as one quoted word. */
export const quotePosix = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Texts as quoted words. */
export const quoteAllPosix = (texts: readonly string[]): string => texts.map(quotePosix).join(' ');

/** A `case` arm; patterns are shell text. */
export const caseArm = (patterns: readonly string[], body: string): string =>
  `    ${patterns.join(' | ')}) ${body} ;;`;

/** Source kind, and its choices if any. */
export const assignSource = (source: ValueSource): string =>
  source.kind === 'choices'
    ? `kind=choices choices=(${quoteAllPosix(source.choices)})`
    : `kind=${source.kind}`;
