import { readFileSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { portGroup } from '../../base/serial/port-group.ts';

const isAllowed = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return true;
  } catch (thrown) {
    // Permissions do not fix other errors.
    return (thrown as NodeJS.ErrnoException).code !== 'EACCES';
  }
};

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

export const portRight = (path: string): string =>
  portRightFor(path, groupOf(path), { groups: allGroups(), user: userInfo().username });

/** Root command required before this user can open a port, or undefined. */
export const serialNeeds = async (path: string): Promise<string | undefined> =>
  (await isAllowed(path)) ? undefined : portRight(path);
