import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/api-error.ts';
import { request, succeeded } from '../api/client.ts';
import { rememberedToken } from '../storage/remembered.ts';
import { saveFile } from './save-file.ts';

interface SaveLinkProps {
  readonly path: string;
  readonly file: string;
  /** Accessible name. */
  readonly label: string;
  /** Timeout for the whole file, with a token. */
  readonly limitMs?: number;
  readonly onDone: (error: ApiError | null) => void;
  readonly testId?: string;
  readonly children: ComponentChildren;
}

/** A link cannot send a token, so the console fetches the file with it. */
export const SaveLink = ({ path, file, label, limitMs, onDone, ...rest }: SaveLinkProps) => {
  const save = async (event: Event): Promise<void> => {
    event.stopPropagation();
    if (rememberedToken.get() === null) return;
    event.preventDefault();
    const parts = limitMs === undefined ? {} : { limitMs };
    try {
      saveFile(
        await request(path, parts, async (response) => (await succeeded(response)).blob()),
        file,
      );
      onDone(null);
    } catch (thrown) {
      onDone(thrown as ApiError);
    }
  };
  return (
    <a
      href={path}
      download={file}
      aria-label={label}
      data-testid={rest.testId}
      onClick={(event) => void save(event)}
    >
      {rest.children}
    </a>
  );
};
