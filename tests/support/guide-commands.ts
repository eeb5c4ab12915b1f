/** A Busbar command in a guide, split into words like in a shell. */
export interface GuideCommand {
  readonly line: number;
  readonly words: readonly string[];
}

const fence = /^\s*```(sh|console)\b/;
const before = /^\s*(?:\$ )?(?:sudo )?(?:-u \w+ )?(?:\w+=\S+ )*/;
/** A word; text in quotes is taken literally. */
const word = /(?:'([^']*)'|"([^"]*)"|([^\s'"|&;<>#]|(?<=\S)#))+/y;

const wordsOf = (text: string): string[] => {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const pause = /\s*/y;
    pause.lastIndex = at;
    at += pause.exec(text)?.[0].length ?? 0;
    word.lastIndex = at;
    const found = word.exec(text)?.[0];
    // A pipe, a redirection or a comment ends the command.
    if (found === undefined) break;
    words.push(found.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    at += found.length;
  }
  return words;
};

/**
 * Busbar commands at the start of a line in a block of a guide, also in blocks that are not run.
 */
export const guideCommands = (text: string): GuideCommand[] => {
  const commands: GuideCommand[] = [];
  const lines = text.split('\n');
  let isInside = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^\s*```/.test(line)) isInside = !isInside && fence.test(line);
    let command = line.replace(before, '');
    if (!isInside || !/^busbar /.test(command)) continue;
    const start = at + 1;
    while (command.endsWith('\\')) command = `${command.slice(0, -1)} ${lines[++at]?.trim() ?? ''}`;
    const words = wordsOf(command.replace(/ 2>.*/, '')).slice(1);
    // The value of a variable is not known here.
    if (!words.some((each) => each.includes('$'))) commands.push({ line: start, words });
  }
  return commands;
};
