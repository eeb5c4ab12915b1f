import { type Signal, useSignal } from '@preact/signals';
import { Notice } from '../ui/notice.tsx';

/** The question whether a file is to be replaced, for one form. */
export interface ReplaceQuestion {
  /** The file that it is about; null while nothing is asked. */
  readonly file: Signal<string | null>;
  /** Whether the form was submitted by the answer that this file may be replaced. It is asked no more. */
  takeAnswer(file: string, event: Event): boolean;
}

/** What the button is called that answers. */
const answer = 'replace';

export const useReplaceQuestion = (): ReplaceQuestion => {
  const asked = useSignal<string | null>(null);
  return {
    file: asked,
    takeAnswer: (file, event) => {
      const button = (event as SubmitEvent).submitter as HTMLButtonElement | null;
      const isAnswered = asked.peek() === file && button?.value === answer;
      asked.value = null;
      return isAnswered;
    },
  };
};

/** Asks inside the form: to replace the file is to submit it once more. */
export const ReplaceNotice = ({ file }: { readonly file: Signal<string | null> }) =>
  file.value !== null && (
    <Notice tone="warn" testId="replace-question">
      <p>
        <code>{file.value}</code> is there already. Replace it?
      </p>
      <p class="actions">
        <button type="submit" class="danger" value={answer} data-testid="replace">
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
