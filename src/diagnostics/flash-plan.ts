import { BusbarError } from '../base/errors/busbar-error.ts';
import { fieldPath } from '../base/json/field-path.ts';
import { formatHex, hexDigits, parseHex } from '../frame/hex-bytes.ts';
import {
  keyRequest,
  resetRequest,
  type resets,
  securityResponse,
  seedRequest,
  sessionRequest,
  type sessions,
} from './control-services.ts';
import { invalidFile } from './diagnostics-file.ts';
import type { FlashSequence, FlashStep } from './flash-sequence.ts';
import type { Image, Segment } from './image.ts';
import {
  blockCounter,
  downloadRequest,
  downloadResponse,
  transferExitRequest,
  transferExitResponse,
  transferResponse,
} from './memory-services.ts';
import { nrcName } from './nrc.ts';
import { negativeResponse, responseBit, sid } from './services.ts';
import { udsWords } from './words.ts';

export type FlashAction =
  | {
      readonly kind: 'request';
      readonly request: Uint8Array;
      readonly functional: boolean;
      /** A time-out counts as null. */
      readonly optional: boolean;
    }
  /** The caller computes the key of a seed. */
  | { readonly kind: 'key'; readonly level: number; readonly seed: Uint8Array }
  | { readonly kind: 'wait'; readonly us: number };

export interface FlashProgress {
  /** Step under way, from 1. */
  readonly step: number;
  readonly steps: number;
  readonly name: string;
  /** Bytes of the image that the ECU acknowledged. */
  readonly bytes: number;
  readonly totalBytes: number;
}

type Outcome = Uint8Array | null;

/** Requests of a step; each receives its response. */
type Requests = Generator<FlashAction, void, Outcome>;

const maxPayload = 4096;

const filled = (text: string, segment: Segment | undefined): Uint8Array => {
  const digits = text.replaceAll(/\{(address|size)\}/g, (_, field) =>
    hexDigits(field === 'address' ? (segment?.address ?? 0) : (segment?.data.length ?? 0), 8),
  );
  return parseHex(digits, { field: 'data', maxLength: maxPayload });
};

const begins = (payload: Uint8Array, prefix: Uint8Array): boolean =>
  prefix.every((byte, index) => payload[index] === byte);

const physical = (request: Uint8Array): FlashAction => ({
  kind: 'request',
  request,
  functional: false,
  optional: false,
});

type DownloadStep = Extract<FlashStep, { step: 'download' }>;

const downloadOf = (step: DownloadStep, { address, data }: Segment): Uint8Array =>
  downloadRequest({
    address,
    size: data.length,
    addressBytes: step.address_bytes,
    sizeBytes: step.size_bytes,
    compression: step.compression,
    encryption: step.encryption,
  });

/** Refuses a sequence whose downloads cannot address the image, before it erases anything. */
const checkRanges = ({ steps }: FlashSequence, { segments }: Image): void => {
  steps.forEach((step, index) => {
    if (step.step !== 'download') return;
    try {
      for (const segment of segments) downloadOf(step, segment);
    } catch (thrown) {
      const { message } = BusbarError.from(thrown);
      const field = fieldPath(['steps', index]);
      throw invalidFile([{ field, message: `${field}: ${message}` }]);
    }
  });
};

/**
 * The requests that a sequence makes of an image, one after the other:
 *
 *     for (let action = plan.next(); action !== null; action = plan.next(outcome)) …
 *
 * The outcome of a request is its response, or null if it was suppressed; that of `key` is the
 * key; that of `wait` is null. A response that ends the sequence throws `unexpected_response`.
 * The bytes of a request are valid until the next call.
 */
export class FlashPlan {
  readonly #sequence: FlashSequence;
  readonly #image: Image;
  readonly #requests: Requests;
  #step = 0;
  #bytes = 0;

  constructor(sequence: FlashSequence, image: Image) {
    checkRanges(sequence, image);
    this.#sequence = sequence;
    this.#image = image;
    this.#requests = this.#run();
  }

  next(outcome: Outcome = null): FlashAction | null {
    const { done, value } = this.#requests.next(outcome);
    return done === true ? null : value;
  }

  get progress(): FlashProgress {
    const { steps } = this.#sequence;
    const current = steps[Math.min(this.#step, steps.length - 1)] as FlashStep;
    return {
      step: Math.min(this.#step + 1, steps.length),
      steps: steps.length,
      name: current.name ?? current.step,
      bytes: this.#bytes,
      totalBytes: this.#image.size,
    };
  }

  *#run(): Requests {
    for (const step of this.#sequence.steps) {
      yield* this.#requestsOf(step);
      this.#step += 1;
    }
  }

  #requestsOf(step: FlashStep): Requests {
    switch (step.step) {
      case 'request':
        return this.#plain(step, step.data, step.expect);
      case 'session':
        return this.#single(sessionRequest(step.session as keyof typeof sessions));
      case 'reset':
        return this.#single(resetRequest(step.reset as keyof typeof resets));
      case 'security':
        return this.#unlock(step.level, step.key);
      case 'routine': {
        const head = `01${step.routine}`;
        const status = step.expect === undefined ? undefined : `71${head}${step.expect}`;
        return this.#plain(step, `31${head}${step.data ?? ''}`, status);
      }
      case 'download':
        return this.#download(step);
      case 'wait':
        return this.#wait(step.ms * 1000);
    }
  }

  *#plain(
    step: Extract<FlashStep, { step: 'request' | 'routine' }>,
    data: string,
    expect: string | undefined,
  ): Requests {
    const segments = step.each_segment === true ? this.#image.segments : [undefined];
    const functional = step.step === 'request' && step.functional === true;
    const optional = step.optional === true;
    const prefix = expect === undefined ? undefined : filled(expect, undefined);
    for (const segment of segments) {
      const request = filled(data, segment);
      const response = yield { kind: 'request', request, functional, optional };
      if (!optional) this.#check(request, response, prefix);
    }
  }

  *#single(request: Uint8Array): Requests {
    this.#check(request, yield physical(request));
  }

  *#wait(us: number): Requests {
    yield { kind: 'wait', us };
  }

  *#unlock(level: number, given: string | undefined): Requests {
    const request = seedRequest(level);
    const response = yield physical(request);
    const seeded = this.#answered(request, response);
    if (securityResponse(request, seeded).unlocked) return;
    const seed = seeded.slice(2);
    const key = given === undefined ? yield { kind: 'key', level, seed } : filled(given, undefined);
    yield* this.#single(keyRequest(level, key ?? new Uint8Array()));
  }

  *#download(step: DownloadStep): Requests {
    for (const { address, data } of this.#image.segments) {
      const request = downloadOf(step, { address, data });
      const response = yield physical(request);
      const accepted = downloadResponse(this.#answered(request, response));
      yield* this.#transfer(data, Math.min(accepted, step.max_block_length ?? 4095));
      const exit = transferExitRequest();
      transferExitResponse(this.#answered(exit, yield physical(exit)));
    }
  }

  *#transfer(data: Uint8Array, blockLength: number): Requests {
    const buffer = new Uint8Array(Math.min(blockLength, data.length + 2));
    const room = buffer.length - 2;
    for (let at = 0, block = 0; at < data.length; at += room, block++) {
      const part = data.subarray(at, at + room);
      buffer[0] = sid.transfer;
      buffer[1] = blockCounter(block);
      buffer.set(part, 2);
      const request = buffer.subarray(0, 2 + part.length);
      const response = yield physical(request);
      transferResponse(request, this.#answered(request, response));
      this.#bytes += part.length;
    }
  }

  /** Refuses a response that the step does not expect. */
  #check(request: Uint8Array, response: Outcome, prefix?: Uint8Array): void {
    if (prefix === undefined) {
      if (response !== null) this.#answered(request, response);
    } else if (response === null || !begins(response, prefix)) {
      throw this.#refused(request, response, `does not begin with ${formatHex(prefix)}`);
    }
  }

  /** The positive response to a request that is not suppressed. */
  #answered(request: Uint8Array, response: Outcome): Uint8Array {
    if (response?.[0] === ((request[0] as number) | responseBit)) return response;
    throw this.#refused(request, response, 'is not positive');
  }

  #refused(request: Uint8Array, response: Outcome, words: string): BusbarError {
    const { step, name } = this.progress;
    const place = `Step ${step} (${name})`;
    const code = response?.[0] === negativeResponse ? response[2] : undefined;
    const shown = response === null ? 'no response' : formatHex(response.subarray(0, 64));
    const reason =
      code === undefined
        ? `the response to ${udsWords(request)} ${words}`
        : udsWords(response as Uint8Array);
    return new BusbarError('unexpected_response', {
      message: `${place}: ${reason}`,
      details: {
        step,
        request: formatHex(request.subarray(0, 64)),
        response: shown,
        ...(code === undefined ? {} : { nrc: code, nrc_name: nrcName(code) }),
      },
    });
  }
}
