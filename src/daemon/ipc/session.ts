import { BusbarError } from '../../base/errors/busbar-error.ts';
import { isJsonObject } from '../../base/json/json-value.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import { type Hello, linkProtocol, type Request } from '../../link/protocol.ts';

const malformed = (message: string): BusbarError =>
  new BusbarError('invalid_argument', { message });

const readRequest = (message: unknown): Request => {
  if (!isJsonObject(message)) throw malformed('A request must be a JSON object');
  const { id, operation, arguments: values, project } = message;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw malformed('id must be an integer');
  if (typeof operation !== 'string') throw malformed('operation must be a string');
  if (!isJsonObject(values)) throw malformed('arguments must be an object');
  if (project !== null && typeof project !== 'string') {
    throw malformed('project must be a string or null');
  }
  return { id, operation, arguments: values, project };
};

const readStep = (message: unknown): SessionStep => {
  if (!isJsonObject(message) || !('cancel' in message)) {
    return { kind: 'call', request: readRequest(message) };
  }
  if (typeof message.cancel !== 'number') throw malformed('cancel must be an integer');
  return { kind: 'cancel', id: message.cancel };
};

const checkHello = (message: unknown, own: Hello): void => {
  if (!isJsonObject(message) || typeof message.busbar !== 'number') {
    throw malformed('The first message must be a hello');
  }
  if (message.busbar === linkProtocol) return;
  throw new BusbarError('version_mismatch', {
    details: { daemon: own.version, pid: own.pid, caller: message.version ?? null },
  });
};

/** What one line from a caller asks for. */
export type SessionStep =
  | { readonly kind: 'greet' }
  | { readonly kind: 'call'; readonly request: Request }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'reject'; readonly error: BusbarError };

/** The daemon's side of the conversation with one caller: lines in, steps out, no socket. */
export class IpcSession {
  readonly #own: Hello;
  #greeted = false;
  #ended = false;

  constructor(own: Hello) {
    this.#own = own;
  }

  /** A rejected line ends the conversation: what follows it could not be trusted. */
  receive(line: Uint8Array): SessionStep {
    try {
      if (this.#ended) throw malformed('The conversation is over');
      const message = parseJsonBytes(line);
      if (this.#greeted) return readStep(message);
      checkHello(message, this.#own);
      this.#greeted = true;
      return { kind: 'greet' };
    } catch (thrown) {
      this.#ended = true;
      return { kind: 'reject', error: BusbarError.from(thrown) };
    }
  }
}
