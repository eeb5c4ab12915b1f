import { signal } from '@preact/signals';
import { traceFiles } from '../../../../../src/trace/trace-format.ts';
import { ApiError } from '../../../api/api-error.ts';
import {
  counted,
  formatBytes,
  formatCount,
  formatInstant,
  formatMicroseconds,
} from '../../../format/figures.ts';
import { act } from '../../../forms/act.ts';
import { FileField } from '../../../forms/controls.tsx';
import { traceProjectFiles } from '../../../state/project-files.ts';
import {
  closeFile,
  databaseError,
  type FileStatus,
  fileError,
  fileStatus,
  isFileShown,
  isInProject,
  openProjectFile,
  stopReading,
  uploadedBytes,
  uploadFile,
} from '../../../trace-files/open-file.ts';
import { unusableWhile } from '../../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { setter } from '../../../ui/set-signal.ts';
import { StateMark } from '../../../ui/state-mark.tsx';
import { isFromProject } from '../file-source.tsx';
import { chooseSource } from '../trace-state.ts';

const projectFile = signal('');

const fetchFile = act(async (file: string) => {
  await openProjectFile(file);
  chooseSource('file');
  isFromProject.value = false;
});

const ProjectFileForm = () =>
  isFromProject.value && (
    <form
      class="fields from-project"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const file = projectFile.peek().trim();
        if (file !== '') void fetchFile.run(file);
      }}
    >
      <FileField
        label="File in the project directory"
        value={projectFile.value}
        files={traceProjectFiles}
        onChange={setter(projectFile)}
        testId="trace-project-file"
      />
      <div class="actions below-label">
        <button
          type="submit"
          data-testid="trace-project-open"
          {...unusableWhile(fetchFile.isBusy.value || projectFile.value.trim() === '')}
        >
          {fetchFile.isBusy.value ? 'Loading…' : 'Open'}
        </button>
      </div>
      <ErrorNotice error={fetchFile.error.value} testId="trace-project-error" />
    </form>
  );

const stateLabel = ({ state, readBytes, bytes }: FileStatus): string => {
  if (state === 'reading') return `Reading ${Math.floor((100 * readBytes) / Math.max(1, bytes))} %`;
  return { ready: 'Read', stopped: 'Partly read', failed: 'Not read' }[state];
};

const markOf = { reading: 'connecting', ready: 'present', stopped: 'stopped', failed: 'failed' };

const upload = act(uploadFile);

export const FileTools = () => {
  const status = fileStatus.value;
  if (!status) return null;
  const isReading = status.state === 'reading';
  return (
    <>
      <StateMark
        state={markOf[status.state]}
        label={stateLabel(status)}
        testId="trace-file-state"
        live
      />
      <button
        type="button"
        data-testid="trace-file-close"
        title={isReading ? 'The rows read so far stay' : 'Close the file'}
        onClick={isReading ? stopReading : closeFile}
      >
        {isReading ? 'Stop' : 'Close'}
      </button>
      {!isReading && !isInProject.value && (
        <button
          type="button"
          data-testid="trace-file-upload"
          title="Upload into the project directory"
          {...unusableWhile(upload.isBusy.value)}
          onClick={() => void upload.run()}
        >
          {uploadedBytes.value === null
            ? 'Upload'
            : `Uploading ${Math.floor((100 * uploadedBytes.value) / Math.max(1, status.bytes))} %`}
        </button>
      )}
    </>
  );
};

/** As in ISO 8601. */
const date = new Intl.DateTimeFormat('sv-SE');

const datesOf = ({ hasDate, rows, firstUs, lastUs }: FileStatus): readonly string[] => {
  if (rows === 0) return [];
  const span = formatMicroseconds(Math.max(0, lastUs - firstUs));
  return hasDate
    ? [`${date.format(firstUs / 1000)} ${formatInstant(firstUs)}`, span]
    : [span, 'without a date'];
};

const skippedOf = ({ skipped }: FileStatus): readonly string[] => {
  const kinds = Object.entries(skipped).map(
    ([what, count]) => `${formatCount(count)} ${what.replaceAll('_', ' ')}`,
  );
  return kinds.length > 0 ? [`not shown: ${kinds.join(', ')}`] : [];
};

const faultsOf = (status: FileStatus): readonly string[] => {
  const { gaps, missed, malformed, isTruncated, unlisted } = status;
  return [
    ...(malformed > 0 ? [counted(malformed, 'damaged part')] : []),
    ...(isTruncated ? ['the end is missing'] : []),
    ...(gaps > 0 ? [`${counted(gaps, 'gap')}, ${formatCount(missed)} events missing`] : []),
    ...(unlisted > 0 ? [`${counted(unlisted, 'frame')} of unlisted IDs`] : []),
  ];
};

/** What the open file is, and what is wrong with it. */
export const FileNote = () => {
  const status = isFileShown.value ? fileStatus.value : null;
  const refused = databaseError.value;
  return (
    <>
      <ProjectFileForm />
      <ErrorNotice error={upload.error.value} testId="trace-upload-error" />
      {refused && (
        <ErrorNotice
          error={new ApiError(refused.error)}
          subject={refused.name}
          testId="trace-database-error"
        />
      )}
      {status && (
        <ErrorNotice error={fileError.value} subject={status.name} testId="trace-file-error" />
      )}
      {status && status.format !== null && (
        <p class="file-note quiet" data-testid="trace-file-note">
          <strong>{status.name}</strong>{' '}
          {[
            traceFiles[status.format].title,
            formatBytes(status.bytes),
            ...datesOf(status),
            counted(status.channels.length, 'channel'),
            ...skippedOf(status),
          ].join(' · ')}
        </p>
      )}
      {status && faultsOf(status).length > 0 && (
        <Notice tone="warn" testId="trace-file-faults">
          <p>▲ {faultsOf(status).join('; ')}</p>
          {status.errors.length > 0 && (
            <details>
              <summary>First errors</summary>
              <ul>
                {status.errors.map(({ at, message }) => (
                  <li key={`${at} ${message}`}>
                    {status.format === 'asc' || status.format === 'candump' ? 'Line' : 'Byte'}{' '}
                    {formatCount(at)}: {message}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </Notice>
      )}
    </>
  );
};
