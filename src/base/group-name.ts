/** The name of a group, by what `/etc/group` says; undefined where it has none. */
export const groupName = (groups: string, gid: number | undefined): string | undefined =>
  groups
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , number]) => gid !== undefined && number === String(gid))?.[0];
