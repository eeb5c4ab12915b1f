import { join } from 'node:path';
import { quoteAllPosix, quotePosix } from '../posix-tables.ts';
import {
  inTemporaryDirectory,
  normalized,
  readCursor,
  readRecords,
  recordEnd,
  runShell,
  type ShellDriver,
  type ShellEnvironment,
} from './real-shell.ts';

/** Characters that readline splits at inside a word, unless the user has it otherwise. */
export const defaultBreaks = '=:@';

/** The words that readline makes of a line: runs of breaks are words of their own. */
const readlineWords = (line: string, breaks: string): readonly string[] => {
  const pattern =
    breaks === '' ? /\S+/g : new RegExp(`[${breaks}]+|(?:\\\\.|[^\\s${breaks}])+`, 'g');
  const words = line.match(pattern) ?? [];
  return /\s$/.test(line) ? [...words, ''] : words;
};

const askFor = (marked: string, breaks: string): string => {
  const { line, point } = readCursor(marked);
  const before = readlineWords(line.slice(0, point), breaks).length;
  const words = [...readlineWords(line, breaks)];
  // Between blanks the cursor has an empty word of its own.
  if (line[point - 1] === ' ' && line[point] === ' ') words.splice(before - 1, 0, '');
  return `ask ${quotePosix(line)} ${point} ${before - 1} ${quoteAllPosix(words)}`;
};

/**
 * Readline quotes file names itself and takes anything else as it comes, so that is read the way
 * the shell would read it from the line.
 */
const program = (script: string, lines: readonly string[], breaks: string): string => `
source ${quotePosix(script)}
COMP_WORDBREAKS=${quotePosix(` \t\n"'><;|&(${breaks}`)}
compopt() { [[ $* != *filenames* ]] || literal=1; }
ask() {
  COMP_LINE=$1 COMP_POINT=$2 COMP_CWORD=$3 literal=''
  shift 3
  COMP_WORDS=("$@")
  _busbar
  for reply in "\${COMPREPLY[@]}"; do
    [[ $literal ]] || eval "reply=(\${reply})"
    printf '%s\\n' "$reply"
  done
  printf '%s\\n' ${quotePosix(recordEnd)}
}
${lines.map((line) => askFor(line, breaks)).join('\n')}
`;

/** What bash replies with, word breaks being the ones given. */
export const bashReplies = (
  script: string,
  lines: readonly string[],
  place: ShellEnvironment,
  breaks = defaultBreaks,
): readonly (readonly string[])[] =>
  inTemporaryDirectory((files) => {
    const path = join(files, 'busbar.bash');
    const output = runShell(
      ['bash', '--norc', '--noprofile', '-u', join(files, 'ask.bash')],
      { 'busbar.bash': script, 'ask.bash': program(path, lines, breaks) },
      { ...place, files },
    );
    return readRecords(output);
  });

export const bashDriver: ShellDriver = {
  shell: 'bash',
  offers: (script, lines, place) =>
    bashReplies(script, lines, place).map((replies, index) => ({
      words: normalized(lines[index] ?? '', replies),
      listing: replies,
    })),
};
