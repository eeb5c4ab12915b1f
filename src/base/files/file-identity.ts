import { type BigIntStats, fstatSync } from 'node:fs';

/** What tells a file from all others, whatever paths lead to it. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Which file a descriptor stands for. */
export const identityOf = (fd: number): FileIdentity => {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return { device: dev, inode: ino };
};

export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.device === other.device && one.inode === other.inode;

/** A file as it was at one moment: every write or replacement makes another version of it. */
export type FileVersion = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

export const isSameVersion = (one: FileVersion, other: FileVersion): boolean =>
  one.dev === other.dev &&
  one.ino === other.ino &&
  one.size === other.size &&
  one.mtimeNs === other.mtimeNs &&
  one.ctimeNs === other.ctimeNs;
