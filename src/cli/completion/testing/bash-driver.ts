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

/** Characters at which readline splits words by default. */
export const defaultBreaks = '=:@';

/** Splits a line into words as readline does: sequences of breaks are separate words. */
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
  // Between blanks, the cursor is on an empty word.
  if (line[point - 1] === ' ' && line[point] === ' ') words.splice(before - 1, 0, '');
  return `ask ${quotePosix(line)} ${point} ${before - 1} ${quoteAllPosix(words)}`;
};

/**
 * Readline quotes file names and inserts other candidates unchanged, so those are parsed as the
 * shell would parse them.
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

/** The response of bash, with the given word breaks. */
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
