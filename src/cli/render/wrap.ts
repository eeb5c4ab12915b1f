/** What stands together in a usage line: a word, or everything between brackets. */
const usageParts = /\[(?:[^[\]]|\[[^\]]*\])*\](?:\s*…)?|\S+/g;

/** Narrower than this, lines are no use any more. */
const narrowest = 20;

/** Puts words into lines of so many characters; a longer word has a line to itself. */
const fill = (words: readonly string[], width: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
};

/** Paragraphs of text in lines of so many characters. */
export const wrapText = (text: string, width: number): string[] =>
  text.split('\n').flatMap((paragraph) => fill(paragraph.split(' '), Math.max(width, narrowest)));

/** A usage line, broken between options and not inside of them; what follows is set in. */
export const wrapUsage = (usage: string, width: number, indent: string): string[] => {
  const parts = usage.match(usageParts) ?? [];
  const hanging = '  ';
  const room = Math.max(width - indent.length - hanging.length, narrowest);
  const [first = '', ...rest] = fill(parts, room);
  return [indent + first, ...rest.map((line) => indent + hanging + line)];
};

/** A command to be copied: broken like a usage, with what makes a shell read on. */
export const wrapCommand = (command: string, width: number, indent: string): string[] => {
  const readOn = ' \\';
  const lines = wrapUsage(command, width - readOn.length, indent);
  return lines.map((line, index) => (index < lines.length - 1 ? line + readOn : line));
};

const gap = '  ';

/**
 * Two columns. The right one is wrapped beside the left one, or below it in rows whose left side is
 * longer than a third of the width.
 */
export const wrapColumns = (
  rows: readonly (readonly [string, string])[],
  width: number,
  indent: string,
): string[] => {
  const third = Math.floor(width / 3);
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= third);
  const column = Math.max(8, ...fitting);
  const right = indent + ' '.repeat(column) + gap;
  return rows.flatMap(([left, text]) => {
    const lines = text === '' ? [] : wrapText(text, width - right.length);
    const below = (line: string): string => right + line;
    if (left.length > column) return [indent + left, ...lines.map(below)];
    const [first = '', ...more] = lines;
    return [`${indent}${left.padEnd(column)}${gap}${first}`.trimEnd(), ...more.map(below)];
  });
};
