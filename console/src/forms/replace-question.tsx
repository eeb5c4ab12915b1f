import { type Signal, useSignal } from '@preact/signals';
import { mayBeThere } from '../state/project-files.ts';
import { Notice } from '../ui/notice.tsx';

/** The question whether a file is to be replaced, for one form. */
export interface ReplaceQuestion {
  /** The file that it is about; null while nothing is asked. */
  readonly file: Signal<string | null>;
  /** Whether a project may be written there now: it is new, or the form was submitted by the answer. */
  mayWrite(file: string, event: Event): Promise<boolean>;
}

export const useReplaceQuestion = (): ReplaceQuestion => {
  const asked = useSignal<string | null>(null);
  return {
    file: asked,
    mayWrite: async (file, event) => {
      const button = (event as SubmitEvent).submitter;
      const isAnswered = asked.peek() === file && button?.dataset.testid === 'replace';
      asked.value = null;
      if (isAnswered || !(await mayBeThere(file))) return true;
      asked.value = file;
      return false;
    },
  };
};

/** Asks inside the form: to replace the file is to submit it once more. */
export const ReplaceNotice = ({ file }: { readonly file: Signal<string | null> }) =>
  file.value !== null && (
    <Notice tone="warn" testId="replace-question">
      <p>
        <code>{file.value}</code> is there already, or may be. Replace it?
      </p>
      <p class="actions">
        <button type="submit" class="danger" data-testid="replace">
          Replace
        </button>
        <button
          type="button"
          onClick={() => {
            file.value = null;
          }}
        >
          Keep it
        </button>
      </p>
    </Notice>
  );
