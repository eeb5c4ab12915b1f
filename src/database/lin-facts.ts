import type { LinVersion } from '../frame/lin.ts';
import { versionOf } from './ldf/build/version.ts';
import type { LinNetwork } from './lin-model.ts';

/** What a LIN network says about the channel that it is attached to. */
export interface LinFacts {
  readonly bitRate: number | null;
  /** Version that channels have for it; null if the file names none, or an unknown one. */
  readonly version: LinVersion | null;
}

/** ISO 17987 continues LIN 2.2, J2602 is based on LIN 2.0. */
const channelVersionOf = (protocol: string | null): LinVersion | null => {
  const version = protocol === null ? null : versionOf(protocol);
  if (version === null) return null;
  if (version < 20) return '1.3';
  if (version === 20) return '2.0';
  return version === 21 ? '2.1' : '2.2';
};

export const linFacts = (lin: LinNetwork | null): LinFacts | null =>
  lin && { bitRate: lin.bitRate, version: channelVersionOf(lin.protocolVersion) };
