import { capabilities } from '../../state/bench.ts';
import { useResource } from '../../ui/use-resource.ts';
import type { Schemas } from './body-template.ts';
import type { OperationCall } from './call-state.ts';
import { curlText, curlTokenHint } from './curl-text.ts';
import { checkRequest } from './request-draft.ts';

interface StreamGuideProps {
  readonly call: OperationCall;
  readonly schemas: Schemas;
}

const pageOf = (id: string): { readonly page: string; readonly title: string } =>
  id.startsWith('signal.')
    ? { page: 'signals', title: 'Signals' }
    : { page: 'trace', title: 'Trace' };

/** How a stream is followed from elsewhere: it has no end, so nothing here asks for it. */
export const StreamGuide = ({ call, schemas }: StreamGuideProps) => {
  const { data } = useResource(capabilities);
  const { id, stream, path } = call.operation;
  const needsToken = data.value?.security.authentication === 'token';
  const protocol = data.value?.events.websocket_subprotocol ?? 'svc.frames.v2';
  const request = checkRequest(call.operation, call.draft.value, schemas).request ?? {
    method: 'GET',
    path,
    body: undefined,
  };
  const { page, title } = pageOf(id);
  const socket = `${location.origin.replace(/^http/, 'ws')}${request.path}`;
  return (
    <section class="guide" data-testid="stream-guide">
      <p>
        This answer has no end, so it is followed and not called. The{' '}
        <a href={`#${page}`}>{title}</a> page does so; from elsewhere:
      </p>
      {stream === 'sse' ? (
        <>
          <pre>{curlText(request, { origin: location.origin, needsToken, isStream: true })}</pre>
          {needsToken && <p class="quiet">{curlTokenHint}</p>}
          <p class="quiet">
            Go on behind an event with the header <code>Last-Event-ID</code> or with{' '}
            <code>after</code>; an event <code>gap</code> tells what was missed.
          </p>
        </>
      ) : (
        <>
          <pre>
            {`new WebSocket(${JSON.stringify(socket)}, [${JSON.stringify(protocol)}${needsToken ? ', "svc.token.…"' : ''}])`}
          </pre>
          <p class="quiet">
            Every binary message is one event; a text message tells of a gap. Go on behind an event
            with <code>after</code>.
          </p>
        </>
      )}
    </section>
  );
};
