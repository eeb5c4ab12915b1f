import { access, constants, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { portGroup } from '../../base/serial/port-group.ts';

const isAllowed = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return true;
  } catch (thrown) {
    // Whatever else is wrong with it, no right mends that.
    return (thrown as NodeJS.ErrnoException).code !== 'EACCES';
  }
};

/** What root has to run so that a user may open a port of that group. */
export const portRightFor = (
  path: string,
  gid: number | undefined,
  { groups, user }: { readonly groups: string; readonly user: string },
): string => {
  const group = portGroup(groups, gid);
  if (group === undefined) return `chmod a+rw ${path}`;
  return `usermod -aG ${group} ${user}`;
};

/** What root has to run before this user may open a serial port; undefined where nothing is needed. */
export const serialNeeds = async (path: string): Promise<string | undefined> => {
  if (await isAllowed(path)) return undefined;
  const gid = (await stat(path).catch(() => undefined))?.gid;
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  return portRightFor(path, gid, { groups, user: userInfo().username });
};
