import { Type } from 'typebox';
import { type RecordOf, recordCodes } from '../base/schema/schemas.ts';

export const warningCodes = {
  database_not_attached: 'A database that the bench file names could not be loaded or attached',
} as const;

export const ChannelWarning = Type.Object({
  code: recordCodes('ChannelWarningCode', warningCodes),
  message: Type.String(),
});
export type ChannelWarning = RecordOf<typeof ChannelWarning>;
