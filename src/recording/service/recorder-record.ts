import { Type } from 'typebox';
import { named, type RecordOf } from '../../base/schema/schemas.ts';
import { settingsFields } from '../recorder-settings.ts';
import { recorderStatusFields } from '../recording-record.ts';

const recorderSources = ['bench', 'request'] as const;
export type RecorderSource = (typeof recorderSources)[number];

const { state, channels, files, file: _file, format: _format, ...counts } = recorderStatusFields;

const summary = {
  name: Type.String(),
  source: Type.Enum([...recorderSources], {
    description: 'bench: from the bench file, and started with the daemon',
  }),
  state,
  ...settingsFields,
  ...counts,
  recorded: { ...channels, description: 'Channels in the files, including closed ones' },
};

export const RecorderRecord = named('Recorder', Type.Object({ ...summary, files }));
export type RecorderRecord = RecordOf<typeof RecorderRecord>;

export const RecorderSummary = named('RecorderSummary', Type.Object(summary));
export type RecorderSummary = RecordOf<typeof RecorderSummary>;

/** What health reports of a recorder, also of one of the bench file that is refused. */
export type RecorderCounts = Pick<
  RecorderRecord,
  'name' | 'state' | 'frames' | 'bytes' | 'gaps' | 'missed' | 'error'
> & { readonly file: string | null };
