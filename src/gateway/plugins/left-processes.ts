import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from '../../base/errors/errno-of.ts';

const variable = 'BUSBAR_PLUGIN_TRIAL';
/** Looks for processes that others start meanwhile. */
const maxLooks = 10;

/** Environment of a trial, which processes that its plugins start inherit. */
export const trialMarker = (path: string): Readonly<Record<string, string>> => ({
  [variable]: path,
});

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    // It has ended, or may not be ended.
    if (!['ESRCH', 'EPERM'].includes(errnoOf(thrown) ?? '')) throw thrown;
  }
};

/** Ends all processes of a group, if there are any left. */
export const killGroup = (leader: number): void => kill(-leader);

const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    // It has ended, or is another user's.
    return '';
  }
};

/** Ends processes that plugins left in trials: in the one of this path, and in all below it. */
export const killMarked = (path: string): void => {
  const mark = `\0${variable}=${Buffer.from(path).toString('latin1')}`;
  for (let look = 0; look < maxLooks; look++) {
    const left = readdirSync('/proc').filter((name) => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
      const environment = `\0${environmentOf(name)}`;
      return environment.includes(`${mark}\0`) || environment.includes(`${mark}/`);
    });
    if (left.length === 0) return;
    for (const name of left) kill(Number(name));
  }
};
