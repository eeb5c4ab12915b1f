import { join } from 'node:path';
import {
  inTemporaryDirectory,
  normalized,
  readRecords,
  recordEnd,
  runShell,
  type ShellDriver,
} from './real-shell.ts';

const program = `
source $argv[1]
for line in (cat $argv[2])
    complete -C $line
    echo ${recordEnd}
end
`;

export const fishDriver: ShellDriver = {
  shell: 'fish',
  offers: (script, lines, place) =>
    inTemporaryDirectory((files) => {
      const output = runShell(
        [
          'fish',
          '--no-config',
          ...['ask.fish', 'busbar.fish', 'lines'].map((name) => join(files, name)),
        ],
        { 'ask.fish': program, 'busbar.fish': script, lines: `${lines.join('\n')}\n` },
        { ...place, files },
      );
      return readRecords(output).map((listing, index) => ({
        words: normalized(
          lines[index] ?? '',
          listing.map((entry) => entry.split('\t', 1)[0] ?? ''),
        ),
        listing,
      }));
    }),
};
