import { Type } from 'typebox';
import { type RecordOf, recordCodes } from '../base/schema/schemas.ts';
import type { LinFacts } from '../database/lin-facts.ts';
import type { ChannelSettings } from '../drivers/channel-settings.ts';

export const warningCodes = {
  database_not_attached: 'A database that the bench file names could not be loaded or attached',
  lin_bitrate_differs: 'An attached LDF has another bit rate than the channel',
  lin_version_differs: 'An attached LDF has another LIN version than the channel',
} as const;

export const ChannelWarning = Type.Object({
  code: recordCodes('ChannelWarningCode', warningCodes),
  message: Type.String(),
});
export type ChannelWarning = RecordOf<typeof ChannelWarning>;

/** Differences between a LIN network and the channel that it is attached to. */
export const networkWarnings = (
  name: string,
  { bitRate, version }: LinFacts,
  { bitrate, lin }: Pick<ChannelSettings, 'bitrate' | 'lin'>,
): ChannelWarning[] => {
  const warnings: ChannelWarning[] = [];
  const current = Math.round(bitrate);
  if (bitRate !== null && bitRate !== current) {
    const message = `${name} is for ${bitRate} bit/s, but the channel has ${current} bit/s`;
    warnings.push({ code: 'lin_bitrate_differs', message });
  }
  if (version !== null && lin && version !== lin.version) {
    const message = `${name} is for LIN ${version}, but the channel has LIN ${lin.version}`;
    warnings.push({ code: 'lin_version_differs', message });
  }
  return warnings;
};
