import { type ReadonlySignal, signal } from '@preact/signals';
import { udsWords } from '../../../../src/diagnostics/words.ts';
import { hexDigits, readHex } from '../../../../src/frame/hex-bytes.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { DiagnosticRequest, DiagnosticResponse } from '../../api/client.ts';

/** A request of this window, with its answer or its error. */
export interface Exchange {
  readonly key: number;
  readonly atMs: number;
  readonly ecu: string;
  readonly request: DiagnosticRequest;
  readonly answer: DiagnosticResponse | null;
  readonly error: ApiError | null;
}

/** The service awaits a response for up to a minute while an ECU reports response pending. */
export const limitMs = 65_000;

export const maxExchanges = 200;
const maxBytes = 30_000;

const entries = signal<readonly Exchange[]>([]);
export const exchanges: ReadonlySignal<readonly Exchange[]> = entries;

let lastKey = 0;

/** The oldest are forgotten, since each can have a long response. */
export const remember = (exchange: Omit<Exchange, 'key'>): Exchange => {
  lastKey += 1;
  const entry = { ...exchange, key: lastKey };
  entries.value = [...entries.peek(), entry].slice(-maxExchanges);
  return entry;
};

/** Adds the answer of a named service, whose request the service built. */
export const rememberService = (answer: DiagnosticResponse): void => {
  const { ecu, request } = answer;
  remember({ atMs: Date.now(), ecu, request: { data: request }, answer, error: null });
};

export const forgetExchanges = (): void => {
  entries.value = [];
};

export const spaced = (hex: string): string => hex.replaceAll(/(..)(?=.)/g, '$1 ');

/** A payload in words; empty if it is no hex or nothing. */
export const wordsOf = (hex: string): string => {
  const bytes = readHex(hex, { maxLength: maxBytes });
  return bytes instanceof Uint8Array && bytes.length > 0 ? udsWords(bytes) : '';
};

export const requestText = ({ request: { data = '', file } }: Exchange): string =>
  file ?? spaced(data.replaceAll(/[ .:_-]/g, '').toUpperCase());

/** An ECU by the identifier of its frames and the address byte, if they have one. */
const responderOf = (id: number, address: number | null): string =>
  address === null ? hexDigits(id, 3) : `${hexDigits(id, 3)} (address ${hexDigits(address, 2)})`;

const withoutResponse = (request: DiagnosticRequest): string =>
  request.wait === false ? 'Sent' : 'No response wanted';

/** The answer in one line: words of UDS, or the error. */
export const answerWords = ({ request, answer, error }: Exchange): string => {
  if (error) return `${error.code}: ${error.message}`;
  if (!answer) return '';
  const { responses, response } = answer;
  if (responses) {
    const parts = responses.map(
      ({ id, address, data }) => `${responderOf(id, address)}: ${wordsOf(data)}`,
    );
    return parts.length === 0 ? 'No ECU responded' : parts.join('; ');
  }
  if (response === null) return withoutResponse(request);
  return request.protocol === 'isotp' ? `${response.length / 2} bytes` : wordsOf(response);
};

export const responseText = ({ answer }: Exchange): string => {
  const { responses, response } = answer ?? {};
  const data = responses ? responses.map((each) => spaced(each.data)).join(' | ') : response;
  return data ? (responses ? data : spaced(data)) : '';
};

export type Outcome = 'positive' | 'negative' | 'failed' | 'sent';

export const outcomeOf = ({ answer, error }: Exchange): Outcome => {
  if (error) return 'failed';
  if (answer?.positive === false) return 'negative';
  return answer?.positive ? 'positive' : 'sent';
};
