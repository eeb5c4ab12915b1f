import type { LinChecksum, LinSlave } from '../../lin-model.ts';
import { type LinVersion, versionOf } from './version.ts';

interface Cluster {
  readonly master: string | null;
  readonly slaves: ReadonlyMap<string, LinSlave>;
  readonly protocol: LinVersion;
}

const classicBefore: LinVersion = 20;

const modelOf = (version: LinVersion): LinChecksum =>
  version < classicBefore ? 'classic' : 'enhanced';

/** LIN 1.x nodes know only the classic checksum. */
export const checksumOf = (
  { master, slaves, protocol }: Cluster,
  publisher: string | null,
  subscribers: readonly string[],
): LinChecksum => {
  const versionOfSlave = (name: string): LinVersion =>
    versionOf(slaves.get(name)?.protocol ?? '') ?? protocol;
  if (publisher !== null && publisher !== master) return modelOf(versionOfSlave(publisher));
  const listeners = subscribers.filter((name) => slaves.has(name)).map(versionOfSlave);
  return modelOf(listeners.length === 0 ? protocol : Math.min(...listeners));
};
