import type { Command } from '../state/commands.ts';

/** Costs of how a word is found: at the start of a title, of a word, inside one, or letter by letter. */
const cost = { start: 0, word: 1, inside: 4, scattered: 20 };

/** How far the letters are apart when taken in their order; null if they are not all there. */
const scatterOf = (text: string, letters: string): number | null => {
  let at = -1;
  let gaps = 0;
  for (const letter of letters) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return null;
    gaps += next - at - 1;
    at = next;
  }
  return gaps;
};

const isLetter = (letter: string | undefined): boolean =>
  letter !== undefined && /[a-z0-9]/.test(letter);

const costOf = (text: string, wanted: string): number | null => {
  if (text.startsWith(wanted)) return cost.start;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isLetter(text[at - 1])) return cost.word;
  }
  if (text.includes(wanted)) return cost.inside;
  const gaps = scatterOf(text, wanted);
  return gaps === null ? null : cost.scattered + gaps;
};

/** How well a command fits what was typed: the lower, the better; null if it does not. */
const fitOf = ({ title, group }: Command, words: readonly string[]): number | null => {
  let sum = 0;
  for (const word of words) {
    const inTitle = costOf(title.toLowerCase(), word);
    const inGroup = costOf(group.toLowerCase(), word);
    const found = Math.min(inTitle ?? Infinity, inGroup === null ? Infinity : inGroup + 2);
    if (found === Infinity) return null;
    sum += found;
  }
  return sum;
};

/** The commands that have every word of what was typed, those that fit best first. */
export const searchCommands = (
  commands: readonly Command[],
  wanted: string,
): readonly Command[] => {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return commands
    .map((command) => ({ command, fit: fitOf(command, words) }))
    .filter((entry): entry is { command: Command; fit: number } => entry.fit !== null)
    .sort((a, b) => a.fit - b.fit)
    .map(({ command }) => command);
};
