import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { traceFiles } from '../../../../src/trace/trace-format.ts';
import { fileStatus, isFileShown, takeFiles } from '../../trace-files/open-file.ts';
import { Segments, ToggleButton } from '../../ui/fields.tsx';
import { chooseSource } from './trace-state.ts';

const accepted = [
  ...Object.values(traceFiles).map(({ ending }) => ending),
  ...['.gz', '.dbc', '.ldf'],
].join(',');

const take = (files: FileList | null | undefined): void => {
  if (!files || files.length === 0) return;
  takeFiles([...files]);
  chooseSource('file');
};

/** Opens files that are dropped anywhere in the window. */
const followDrops = (): (() => void) => {
  const allow = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    allow(event);
    take(event.dataTransfer?.files);
  };
  addEventListener('dragover', allow);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragover', allow);
    removeEventListener('drop', drop);
  };
};

/** The form for traces of the project directory is shown. */
export const isFromProject = signal(false);

export const OpenFileButton = () => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(followDrops, []);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accepted}
        aria-label="Trace file"
        data-testid="trace-file"
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <button
        type="button"
        data-testid="trace-open"
        title="ASC, BLF, candump or MF4, with DBC or LDF; files can also be dropped"
        onClick={() => input.current?.click()}
      >
        Open…
      </button>
      <ToggleButton
        isOn={isFromProject}
        testId="trace-from-project"
        title="Traces of the project directory"
      >
        From project
      </ToggleButton>
    </>
  );
};

export const SourceSwitch = () =>
  fileStatus.value && (
    <Segments
      label="Source"
      value={isFileShown.value ? 'file' : 'live'}
      choices={[
        { value: 'live', label: 'Live' },
        { value: 'file', label: 'File' },
      ]}
      onChange={chooseSource}
      testId="trace-source"
    />
  );
