import type { ValueSource } from './completion-model.ts';

export const quotePosix = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const quoteAllPosix = (texts: readonly string[]): string => texts.map(quotePosix).join(' ');

export const caseArm = (patterns: readonly string[], body: string): string =>
  `    ${patterns.join(' | ')}) ${body} ;;`;

export const assignSource = (source: ValueSource): string =>
  source.kind === 'choices'
    ? `kind=choices choices=(${quoteAllPosix(source.choices)})`
    : `kind=${source.kind}`;
