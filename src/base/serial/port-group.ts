/** Ports of this group are for root alone; joining it would grant everything. */
const rootGid = 0;

/** The group that a user can join to open a port, from `/etc/group`. */
export const portGroup = (groups: string, gid: number | undefined): string | undefined => {
  if (gid === undefined || gid === rootGid) return undefined;
  return groups
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , number]) => number === String(gid))?.[0];
};
