/** A port of this group is for root alone: joining it would give every right. */
const rootGid = 0;

/** The group that a user can join to open a port, by what `/etc/group` says; undefined where there is none. */
export const portGroup = (groups: string, gid: number | undefined): string | undefined => {
  if (gid === undefined || gid === rootGid) return undefined;
  return groups
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , number]) => number === String(gid))?.[0];
};
