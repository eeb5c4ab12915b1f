const retrying = 'The console keeps trying.';

/** What to do next about a code that reading the API can meet. */
const nextSteps = {
  unreachable: 'Run “busbar web start” there; the console keeps trying.',
  no_answer: '“busbar daemon status” there tells more; the console keeps trying.',
  not_busbar: 'Check the address, and any proxy before the Web service.',
  unauthorized: 'Enter the token that “busbar web start” was given.',
  origin_not_allowed: 'Open the address that “busbar web status” shows.',
  too_many_clients: 'Close consoles and streams that nobody needs.',
  connection_lost: 'The console goes on behind the last event as soon as it can.',
};

const seeLog = (requestId) => `The daemon’s log has the details: request ${requestId}.`;

/** Why a request brought no result, in the words of the service where it gave any. */
export class ApiError extends Error {
  constructor({ code, message, retryable = true, requestId = null }) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.isFinal = !retryable;
    this.nextStep = nextSteps[code] ?? (retryable ? retrying : seeLog(requestId));
  }

  /** Whether nothing at all answered, as against an answer that refuses. */
  get isSilence() {
    return this.code === 'unreachable' || this.code === 'no_answer';
  }

  get isUnauthorized() {
    return this.code === 'unauthorized';
  }
}
