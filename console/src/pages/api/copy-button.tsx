import { useSignal } from '@preact/signals';

interface CopyButtonProps {
  readonly label: string;
  /** Null where there is nothing to copy now. */
  readonly text: () => string | null;
  readonly testId?: string;
}

/** Copies a text; shows it to be copied by hand where the browser forbids that. */
export const CopyButton = ({ label, text, testId }: CopyButtonProps) => {
  const isCopied = useSignal(false);
  const forHand = useSignal<string | null>(null);
  const copy = async (): Promise<void> => {
    const wanted = text();
    if (wanted === null) return;
    try {
      await navigator.clipboard.writeText(wanted);
      isCopied.value = true;
      forHand.value = null;
    } catch {
      forHand.value = wanted;
    }
  };
  return (
    <>
      <button
        type="button"
        data-testid={testId}
        onClick={() => void copy()}
        onBlur={() => {
          isCopied.value = false;
        }}
      >
        {label}
      </button>
      <span role="status" class="quiet">
        {isCopied.value && 'Copied'}
      </span>
      {forHand.value !== null && <pre class="by-hand">{forHand.value}</pre>}
    </>
  );
};
