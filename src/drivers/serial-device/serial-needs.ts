import { readFileSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
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

const groupOf = (path: string): number | undefined => {
  try {
    return statSync(path).gid;
  } catch {
    return undefined;
  }
};

const allGroups = (): string => {
  try {
    return readFileSync('/etc/group', 'utf8');
  } catch {
    return '';
  }
};

/** What root has to run so that this user may open a port. */
export const portRight = (path: string): string =>
  portRightFor(path, groupOf(path), { groups: allGroups(), user: userInfo().username });

/** What root has to run before this user may open a serial port; undefined where nothing is needed. */
export const serialNeeds = async (path: string): Promise<string | undefined> =>
  (await isAllowed(path)) ? undefined : portRight(path);
