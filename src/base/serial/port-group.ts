const rootGid = 0;

export const portGroup = (groups: string, gid: number | undefined): string | undefined => {
  if (gid === undefined || gid === rootGid) return undefined;
  return groups
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , number]) => number === String(gid))?.[0];
};
