const usageParts = /\[(?:[^[\]]|\[[^\]]*\])*\](?:\s*…)?|\S+/g;

const narrowest = 20;

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

export const wrapText = (text: string, width: number): string[] =>
  text.split('\n').flatMap((paragraph) => fill(paragraph.split(' '), Math.max(width, narrowest)));

export const wrapUsage = (usage: string, width: number, indent: string): string[] => {
  const parts = usage.match(usageParts) ?? [];
  const hanging = '  ';
  const room = Math.max(width - indent.length - hanging.length, narrowest);
  const [first = '', ...rest] = fill(parts, room);
  return [indent + first, ...rest.map((line) => indent + hanging + line)];
};

export const wrapCommand = (command: string, width: number, indent: string): string[] => {
  const readOn = ' \\';
  const lines = wrapUsage(command, width - readOn.length, indent);
  return lines.map((line, index) => (index < lines.length - 1 ? line + readOn : line));
};

const gap = '  ';

/**
 * Two columns. The right one is wrapped next to the left one, or below it if the left one is
 * wider than a third.
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
