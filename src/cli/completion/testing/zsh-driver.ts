import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cursorMark,
  inTemporaryDirectory,
  normalized,
  readRecords,
  recordEnd,
  runShell,
  type ShellDriver,
} from './real-shell.ts';

/** Zsh completes only at a terminal. This one is read until the shell has ended. */
const terminal = `
zmodload zsh/zpty
zpty shell 'zsh -d -i'
while zpty -r shell output; do :; done
`;

/** Replaces each line with all its candidates, as soon as the line editor is ready. */
const startFile = `
stty cols 400
autoload -Uz compinit && compinit -D -u
source $FILES/busbar.zsh
compadd() {
  local -i display=$argv[(I)-d]
  (( display )) && print -rl -- "\${(@P)argv[display+1]}" >>$FILES/listing
  builtin compadd "$@"
}
insert-all() {
  _main_complete
  offered=$compstate[nmatches] compstate[insert]=all compstate[list]=
}
zle -C insert-all complete-word insert-all
zle-line-init() {
  local line
  local -a typed
  local -i offered before
  for line in "\${(@f)$(<$FILES/lines)}"; do
    LBUFFER=\${line%${cursorMark}*} RBUFFER=\${\${(M)line%${cursorMark}*}#?} offered=0
    typed=("\${(@z)LBUFFER}") before=$#typed
    [[ $LBUFFER == *' ' ]] && (( before++ ))
    zle insert-all
    (( offered )) && print -rl -- "\${(@Q)\${(@z)LBUFFER}[before,-1]}" >>$FILES/words
    print -r -- ${recordEnd} >>$FILES/words
    print -r -- ${recordEnd} >>$FILES/listing
  done
  exit
}
zle -N zle-line-init
`;

export const zshDriver: ShellDriver = {
  shell: 'zsh',
  offers: (script, lines, place) =>
    inTemporaryDirectory((files) => {
      runShell(
        ['zsh', '-f', join(files, 'terminal.zsh')],
        {
          'terminal.zsh': terminal,
          '.zshrc': startFile,
          'busbar.zsh': script,
          lines: lines.join('\n'),
          words: '',
          listing: '',
        },
        { ...place, files, env: { ZDOTDIR: files, FILES: files, TERM: 'dumb' } },
      );
      const listings = readRecords(readFileSync(join(files, 'listing'), 'utf8'));
      return readRecords(readFileSync(join(files, 'words'), 'utf8')).map((words, index) => ({
        words: normalized(lines[index] ?? '', words),
        listing: listings[index] ?? [],
      }));
    }),
};
