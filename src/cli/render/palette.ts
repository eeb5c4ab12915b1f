export interface Palette {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly bad: (text: string) => string;
}

const same = (text: string): string => text;
const wrap =
  (code: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[0m`;

export const plainPalette: Palette = { strong: same, faint: same, bad: same };

const terminalPalette: Palette = { strong: wrap(1), faint: wrap(2), bad: wrap(31) };

export const paletteFor = (
  stream: { readonly isTerminal: boolean },
  env: NodeJS.ProcessEnv,
): Palette =>
  stream.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? terminalPalette : plainPalette;
