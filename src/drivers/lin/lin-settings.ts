import { hasEnhancedChecksum, type LinVersion } from '../../frame/lin.ts';
import type { LinRole, LinSettings, SettingChange } from '../channel-settings.ts';

export const defaultLinBitrate = 19_200;

const checksumOf = (version: LinVersion): LinSettings['checksum'] =>
  hasEnhancedChecksum(version) ? 'enhanced' : 'classic';

/** Settings of a node. The version implies the default checksum. */
export const openedLin = (
  asked: Partial<LinSettings> | undefined,
  defaultRole: LinRole,
): LinSettings => {
  const { role = defaultRole, version = '2.2' } = asked ?? {};
  return { role, version, checksum: asked?.checksum ?? checksumOf(version) };
};

/** Settings after a change. The checksum changes only with the version or on request. */
export const changedLin = (
  lin: LinSettings,
  change: SettingChange & { readonly group: 'lin' },
): LinSettings => {
  const version = change.version ?? lin.version;
  const kept = version === lin.version ? lin.checksum : checksumOf(version);
  return { ...lin, version, checksum: change.checksum ?? kept };
};
