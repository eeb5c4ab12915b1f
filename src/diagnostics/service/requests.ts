import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { formatHex, parseHex } from '../../frame/hex-bytes.ts';
import { byteOfKey, idOfKey } from '../../pdu/isotp/addressing.ts';
import { nrcName } from '../nrc.ts';
import type { UdsResponse } from '../uds-exchange.ts';
import type { Answer, AskOptions } from './active-request.ts';
import type { DiagnosticLinks } from './diagnostic-links.ts';
import { type DiagnosticResponse, maxDataBytes } from './link-record.ts';

export const maxFileBytes = 1_000_000;
export const maxDidsBytes = 4 * 1024 * 1024;
const shownBytes = 64;

export interface PayloadRequest {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
}

export interface SendRequest extends PayloadRequest {
  readonly ecu: string;
  readonly protocol: 'uds' | 'isotp';
  readonly wait: boolean;
  readonly functional: boolean;
  readonly timeout_ms: number;
}

const refusalFields = ({ positive, nrc }: UdsResponse) => ({
  positive,
  nrc,
  nrc_name: nrc === null ? null : nrcName(nrc),
});

const withoutPolarity = { positive: null, nrc: null, nrc_name: null } as const;

/** The fields of an answer that all services share. */
export const answerFields = (ecu: string, request: Uint8Array, answer: Answer) => {
  const { response, pending, durationUs } = answer;
  return {
    ecu,
    request: formatHex(request.subarray(0, shownBytes)),
    response: response ? formatHex(response.payload) : null,
    ...(response ? refusalFields(response) : withoutPolarity),
    pending,
    duration_us: durationUs,
  };
};

/** Requests as callers write them. */
export class Requests {
  readonly #links: DiagnosticLinks;
  readonly #readFile: (file: string) => Promise<Uint8Array>;

  constructor(links: DiagnosticLinks, readFile: (file: string) => Promise<Uint8Array>) {
    this.#links = links;
    this.#readFile = readFile;
  }

  async send(
    { ecu, protocol, wait, functional, timeout_ms, ...source }: SendRequest,
    bench: BenchSource,
    signal: AbortSignal | undefined,
  ): Promise<DiagnosticResponse> {
    const request = await this.#payload(source);
    const options: AskOptions = {
      protocol,
      wait,
      functional,
      timeoutUs: timeout_ms * 1000,
    };
    const link = await this.#links.use(ecu, bench);
    const answer = await link.request(request, options, signal);
    const isRaw = protocol === 'isotp';
    const record = { ...answerFields(ecu, request, answer), ...(isRaw ? withoutPolarity : {}) };
    if (!functional || !wait) return record;
    const responses = answer.responses.map((response) => ({
      id: idOfKey(response.from),
      address: byteOfKey(response.from),
      data: formatHex(response.payload),
      ...(isRaw ? withoutPolarity : refusalFields(response)),
    }));
    return { ...record, responses };
  }

  async #payload({ data, file }: PayloadRequest): Promise<Uint8Array> {
    if (data !== undefined && file !== undefined) {
      throw invalidArgument('file', 'file and data exclude each other', { reason: 'exclusive' });
    }
    if (file !== undefined) return this.#readFile(file);
    if (data === undefined) {
      throw invalidArgument('data', 'data is required', { reason: 'missing' });
    }
    const bytes = parseHex(data, { field: 'data', maxLength: maxDataBytes });
    if (bytes.length > 0) return bytes;
    throw invalidArgument('data', 'data has no bytes', { reason: 'missing' });
  }
}
