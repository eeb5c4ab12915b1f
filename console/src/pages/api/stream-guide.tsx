import { framesSubprotocol, tokenPrefix } from '../../../../src/frame/frames-subprotocol.ts';
import { rememberedToken } from '../../storage/remembered.ts';
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
  const { id, stream, path } = call.operation;
  const needsToken = rememberedToken.get() !== null;
  const offered = [framesSubprotocol, ...(needsToken ? [`${tokenPrefix}…`] : [])];
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
            {`new WebSocket(${JSON.stringify(socket)}, [${offered.map((name) => JSON.stringify(name)).join(', ')}])`}
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
