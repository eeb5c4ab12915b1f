import type { ValueSource } from './completion-model.ts';

/** Text as one word of bash or zsh, whatever it contains. */
export const quotePosix = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Texts as words in the parentheses of an array. */
export const quoteAllPosix = (texts: readonly string[]): string => texts.map(quotePosix).join(' ');

/** One arm of a `case`; patterns are given as shell text. */
export const caseArm = (patterns: readonly string[], body: string): string =>
  `    ${patterns.join(' | ')}) ${body} ;;`;

/** What a script remembers of a source: its kind, and the choices where there are some. */
export const assignSource = (source: ValueSource): string =>
  source.kind === 'choices'
    ? `kind=choices choices=(${quoteAllPosix(source.choices)})`
    : `kind=${source.kind}`;
