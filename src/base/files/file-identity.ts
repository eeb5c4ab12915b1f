import { type BigIntStats, fstatSync, statSync } from 'node:fs';

export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

export const identityOf = (fd: number): FileIdentity => {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return { device: dev, inode: ino };
};

/** Of the file at a path, also through a link; undefined if there is none. */
export const identityAt = (path: string): FileIdentity | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && { device: found.dev, inode: found.ino };
};

export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.device === other.device && one.inode === other.inode;

/** Identifies one version of a file: each write or replacement produces another one. */
export type FileVersion = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

export const isSameVersion = (one: FileVersion, other: FileVersion): boolean =>
  one.dev === other.dev &&
  one.ino === other.ino &&
  one.size === other.size &&
  one.mtimeNs === other.mtimeNs &&
  one.ctimeNs === other.ctimeNs;

/** The version as text, for clients that replace the file later. */
export const versionText = ({ ino, size, mtimeNs, ctimeNs }: FileVersion): string =>
  [ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join('-');
