const rootGid = 0;

/** Name of the group that a user can join to open a port, from `/etc/group`. */
export const portGroup = (groups: string, gid: number | undefined): string | undefined => {
  if (gid === undefined || gid === rootGid) return undefined;
  return groups
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , number]) => number === String(gid))?.[0];
};
