import { useSignal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { readText, request } from '../../api/client.ts';
import { rememberedToken } from '../../storage/remembered.ts';
import { saveFile } from '../../ui/save-file.ts';

const documents = [
  { title: 'OpenAPI document', path: '/api/v1/openapi.json', file: 'busbar-openapi.json' },
  { title: 'capabilities', path: '/api/v1/capabilities', file: 'busbar-capabilities.json' },
  { title: 'metrics', path: '/metrics', file: 'busbar-metrics.txt' },
] as const;

/** Links to what the service publishes about itself. */
export const SaveLinks = () => {
  const error = useSignal<ApiError | null>(null);
  /** A link cannot carry a token, so with one the console fetches the document and saves it. */
  const save = async (event: Event, path: string, file: string): Promise<void> => {
    if (rememberedToken.get() === null) return;
    event.preventDefault();
    try {
      const response = await request(path);
      const type = response.headers.get('content-type') ?? 'text/plain';
      saveFile(new Blob([await readText(response)], { type }), file);
      error.value = null;
    } catch (thrown) {
      error.value = thrown as ApiError;
    }
  };
  return (
    <span class="save-links">
      <span class="quiet">Save</span>
      {documents.map(({ title, path, file }) => (
        <a
          key={path}
          href={path}
          download={file}
          aria-label={`Save the ${title}`}
          data-testid={`save-${file}`}
          onClick={(event) => void save(event, path, file)}
        >
          {title}
        </a>
      ))}
      {error.value && (
        <span data-tone="bad" role="status">
          <code>{error.value.code}</code> {error.value.message}
        </span>
      )}
    </span>
  );
};
