import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { SeedKey } from '../../bench/ecu-entry.ts';
import { formatHex, parseHex } from '../../frame/hex-bytes.ts';
import {
  type CommunicationRequest,
  communicationRequest,
  communicationResponse,
  type communicationTypes,
  dtcSettingRequest,
  dtcSettingResponse,
  keyRequest,
  resetRequest,
  resetResponse,
  type routineActions,
  routineRequest,
  routineResponse,
  securityResponse,
  seedRequest,
  sessionRequest,
  sessionResponse,
} from '../control-services.ts';
import {
  type ioControls,
  ioRequest,
  ioResponse,
  readDidsRequest,
  readDidsResponse,
  writeDidRequest,
  writeDidResponse,
} from '../did-services.ts';
import { type DidFile, DidTable } from '../dids.ts';
import {
  clearRequest,
  clearResponse,
  type DtcRequest,
  dtcRequest,
  dtcResponse,
} from '../dtc-services.ts';
import {
  memoryReadRequest,
  memoryReadResponse,
  memoryWriteRequest,
  memoryWriteResponse,
} from '../memory-services.ts';
import type { UdsSecurity } from '../uds-record.ts';
import type { DiagnosticLink } from './diagnostic-link.ts';
import type { DiagnosticLinks } from './diagnostic-links.ts';
import { answerFields } from './requests.ts';

export interface UdsCallsOptions {
  readonly links: DiagnosticLinks;
  readonly readDids: (file: string) => Promise<DidFile>;
  /** Computes a key in a process of its own. */
  readonly keyOf: (seedKey: SeedKey, level: number, seed: Uint8Array) => Promise<Uint8Array>;
}

/** The ECU of a call, and its caller. */
export interface Ask {
  readonly ecu: string;
  readonly bench: BenchSource;
  readonly signal: AbortSignal | undefined;
  /** Limit of each request. */
  readonly timeoutUs: number;
}

interface KeyRequest {
  readonly level: number;
  readonly key: Uint8Array;
  /** Null if the seed was the result of an earlier call. */
  readonly seed: Uint8Array | null;
  readonly timeoutUs: number;
}

const maxKeyBytes = 4096;
const maxMemoryBytes = 30_000;

/** A sub-function as callers write it: a word, or a number as text. */
const wordOrNumber = <Word extends string>(given: string | number): Word | number => {
  const isNumber = typeof given === 'string' && /^(0x[0-9a-f]+|[0-9]+)$/i.test(given);
  return isNumber ? Number(given) : (given as Word | number);
};

const hexOf = (field: string, text: string | undefined, maxLength = 4095): Uint8Array =>
  text === undefined ? new Uint8Array() : parseHex(text, { field, maxLength });

const uint16Of = (field: string, given: string | number): number => {
  const value = typeof given === 'number' ? given : Number.parseInt(given, 16);
  if (Number.isInteger(value) && value >= 0 && value <= 0xffff) return value;
  throw invalidArgument(field, `${field} must be up to four hex digits`);
};

export interface DtcCall {
  readonly mask?: string | number | undefined;
  readonly snapshot?: string | undefined;
  readonly extended?: string | undefined;
  readonly record?: number | undefined;
  readonly count?: boolean | undefined;
  readonly supported?: boolean | undefined;
}

const dtcRequestOf = ({
  mask,
  snapshot,
  extended,
  record,
  count,
  supported,
}: DtcCall): DtcRequest => {
  const chosen = Object.entries({ snapshot, extended, count, supported })
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([field]) => field);
  if (chosen.length > 1) {
    throw invalidArgument(chosen[1] as string, `${chosen.join(' and ')} exclude each other`, {
      reason: 'exclusive',
    });
  }
  const isOfOne = snapshot !== undefined || extended !== undefined;
  if (mask !== undefined && (isOfOne || supported)) {
    throw invalidArgument('mask', `mask and ${chosen[0]} exclude each other`, {
      reason: 'exclusive',
    });
  }
  if (record !== undefined && !isOfOne) {
    throw invalidArgument('record', 'record needs snapshot or extended', { reason: 'needed' });
  }
  const bits = typeof mask === 'string' ? Number.parseInt(mask, 16) : mask;
  if (snapshot !== undefined) return { report: 'snapshot', dtc: snapshot, record };
  if (extended !== undefined) return { report: 'extended', dtc: extended, record };
  if (supported) return { report: 'supported' };
  return { report: count ? 'count' : 'mask', mask: bits };
};

/** Services of ISO 14229 with their parameters and results in words. */
export class UdsCalls {
  readonly #options: UdsCallsOptions;
  readonly #tables = new WeakMap<DiagnosticLink, DidTable>();

  constructor(options: UdsCallsOptions) {
    this.#options = options;
  }

  session(ask: Ask, session: string | number, isSuppressed: boolean) {
    const request = sessionRequest(wordOrNumber(session), isSuppressed);
    return this.#call(ask, request, (response) => sessionResponse(request, response));
  }

  reset(ask: Ask, reset: string | number, isSuppressed: boolean) {
    const request = resetRequest(wordOrNumber(reset), isSuppressed);
    return this.#call(ask, request, (response) => resetResponse(request, response));
  }

  async read(ask: Ask, names: readonly string[]) {
    const table = await this.#didsOf(ask);
    const dids = names.map((name) => table.find(name, 'dids'));
    return this.#call(ask, readDidsRequest(dids), (response) => readDidsResponse(response, dids));
  }

  async write(ask: Ask, name: string, value: string) {
    const did = (await this.#didsOf(ask)).find(name);
    return this.#call(ask, writeDidRequest(did, value), (response) =>
      writeDidResponse(response, did),
    );
  }

  async dtcs(ask: Ask, call: DtcCall) {
    const request = dtcRequest(dtcRequestOf(call));
    const table = await this.#didsOf(ask);
    return this.#call(ask, request, (response) => dtcResponse(response, table));
  }

  clear(ask: Ask, group: string | undefined) {
    const request = clearRequest(group);
    return this.#call(ask, request, (response) => clearResponse(request, response));
  }

  routine(
    ask: Ask,
    action: keyof typeof routineActions,
    routine: string | number,
    data: string | undefined,
  ) {
    const request = routineRequest({
      action,
      routine: uint16Of('routine', routine),
      data: hexOf('data', data),
    });
    return this.#call(ask, request, (response) => routineResponse(request, response));
  }

  communication(
    ask: Ask,
    control: string | number,
    type: string | number | undefined,
    node: number | undefined,
    suppress: boolean,
  ) {
    const request = communicationRequest({
      control: wordOrNumber(control) as CommunicationRequest['control'],
      type: type === undefined ? undefined : wordOrNumber<keyof typeof communicationTypes>(type),
      node,
      suppress,
    });
    return this.#call(ask, request, (response) => communicationResponse(request, response));
  }

  dtcSetting(ask: Ask, setting: string | number, isSuppressed: boolean) {
    const request = dtcSettingRequest(wordOrNumber(setting), isSuppressed);
    return this.#call(ask, request, (response) => dtcSettingResponse(request, response));
  }

  async io(
    ask: Ask,
    name: string,
    control: keyof typeof ioControls,
    value: string | undefined,
    mask: string | undefined,
  ) {
    const did = (await this.#didsOf(ask)).find(name);
    const request = ioRequest({ did, control, value, mask: hexOf('mask', mask) });
    return this.#call(ask, request, (response) => ioResponse(response, did));
  }

  memoryRead(ask: Ask, address: number, size: number) {
    const range = { address, size };
    return this.#call(ask, memoryReadRequest(range), (response) =>
      memoryReadResponse(response, range),
    );
  }

  memoryWrite(ask: Ask, address: number, data: string) {
    const request = memoryWriteRequest({ address }, hexOf('data', data, maxMemoryBytes));
    return this.#call(ask, request, (response) => memoryWriteResponse(request, response));
  }

  /**
   * Unlocks a level. A key that is given answers the last seed, if that was of this level;
   * without a key and a function that computes it, the seed is the result.
   */
  async security(ask: Ask, level: number, key: string | undefined) {
    const { ecu, bench, signal, timeoutUs } = ask;
    const given = key === undefined ? undefined : hexOf('key', key, maxKeyBytes);
    const request = seedRequest(level);
    const link = await this.#options.links.use(ecu, bench);
    return link.take(async () => {
      if (given && link.seedLevel === level)
        return this.#sendKey(link, { level, key: given, seed: null, timeoutUs });
      const answer = await link.ask(request, { timeoutUs });
      const fields = answerFields(ecu, request, answer);
      const response = answer.response;
      if (!response?.positive) return { ...fields, result: null };
      const result = securityResponse(request, response.payload);
      if (result.unlocked) return { ...fields, result };
      const seed = response.payload.slice(2);
      if (given) return this.#sendKey(link, { level, key: given, seed, timeoutUs });
      if (link.seedKey) {
        const key = await this.#options.keyOf(link.seedKey, level, seed);
        return this.#sendKey(link, { level, key, seed, timeoutUs });
      }
      link.seedLevel = level;
      return { ...fields, result };
    }, signal);
  }

  async presence({ ecu, bench }: Pick<Ask, 'ecu' | 'bench'>, enabled: boolean, periodMs: number) {
    const link = await this.#options.links.use(ecu, bench);
    link.setPresence(enabled, periodMs * 1000);
    return link.record();
  }

  async #sendKey(link: DiagnosticLink, { level, key, seed, timeoutUs }: KeyRequest) {
    const request = keyRequest(level, key);
    const answer = await link.ask(request, { timeoutUs });
    const { response } = answer;
    let result: UdsSecurity | null = null;
    if (response?.positive) {
      const seedText = seed && formatHex(seed);
      result = { ...securityResponse(request, response.payload), seed: seedText };
    }
    return { ...answerFields(link.ecu, request, answer), result };
  }

  async #call<Result>(
    { ecu, bench, signal, timeoutUs }: Ask,
    request: Uint8Array,
    read: (response: Uint8Array) => Result,
  ) {
    const link = await this.#options.links.use(ecu, bench);
    const answer = await link.request(request, { timeoutUs }, signal);
    const { response } = answer;
    const result = response?.positive ? read(response.payload) : null;
    return { ...answerFields(ecu, request, answer), result };
  }

  async #didsOf({ ecu, bench }: Ask): Promise<DidTable> {
    const link = await this.#options.links.use(ecu, bench);
    const known = this.#tables.get(link);
    if (known) return known;
    const { dids = {} } = link;
    const file = typeof dids === 'string' ? await this.#options.readDids(dids) : dids;
    const table = new DidTable(file as DidFile);
    this.#tables.set(link, table);
    return table;
  }
}
