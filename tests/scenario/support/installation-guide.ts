import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guideBlocks } from '../../support/guide-blocks.ts';
import { repository } from '../../support/workbench.ts';

const guide = readFileSync(join(repository, 'docs', 'guides', 'installation.md'), 'utf8');
const { steps } = guideBlocks(guide);

/** The one block of the installation guide that contains these words. */
export const installationStep = (words: string): string => {
  const [step, ...others] = steps.filter(({ command }) => command.includes(words));
  if (step === undefined || others.length > 0) throw new Error(`No block, or several: ${words}`);
  return step.command;
};

/** All its blocks, by first line. */
export const installationSteps = (): string[] =>
  steps.map(({ command }) => command.split('\n')[0] ?? '');

/** `sudo` for a system with only root, and `systemctl` for one where nginx is not started. */
const programs = {
  sudo: `if [ "$1" = -u ]; then user=$2; shift 2; set -- setpriv --reuid="$user" --regid="$user" --init-groups env "$@"; fi
exec env "$@"`,
  systemctl: `[ "$*" = 'reload nginx' ] && exec nginx; exit 1`,
};

/** Adds programs that the guide uses and a small root lacks to a folder. */
export const placePrograms = (folder: string): void => {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
};

/** Records a package's requests to systemd in a file, with the units to enable. */
export const placeSystemctl = (folder: string, log: string): void => {
  mkdirSync(folder);
  const wants = '/etc/systemd/system/multi-user.target.wants';
  const text = `echo "$@" >>${log}
case "$*" in
  *is-enabled*) echo enabled ;;
  *preset\\ *) mkdir -p ${wants}; ln -s /usr/lib/systemd/system/busbar.service ${wants} ;;
esac`;
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
};
