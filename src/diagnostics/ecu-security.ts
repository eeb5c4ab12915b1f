import { parseHex } from '../frame/hex-bytes.ts';
import type { EcuModel } from './ecu-model.ts';
import { nrc } from './nrc.ts';
import { responseBit, sid } from './services.ts';

const maxKey = 4096;

const bytesOf = (hex: string): Uint8Array =>
  parseHex(hex, { field: 'security', maxLength: maxKey });

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/**
 * SecurityAccess of a server. One level is unlocked at a time.
 *
 *     state      input                  response            next state
 *     locked     seed request           seed                seeded
 *                key                    24                  locked
 *                time of delay runs     37                  locked
 *     seeded     seed request           the same seed       seeded, for its level
 *                right key of level     positive            unlocked, no wrong keys
 *                wrong key              35                  locked
 *                wrong key, the last    36                  locked, delay runs
 *                key of another level   24                  locked
 *     unlocked   seed request of level  zeros               unlocked
 *                of another level       seed                unlocked and seeded
 *     any        session, reset         -                   locked; wrong keys and delay remain
 */
export class EcuSecurity {
  /** Odd level; 0 is locked. */
  unlocked = 0;
  readonly #levels: NonNullable<EcuModel['security']>;
  #seeded = 0;
  #wrongKeys = 0;
  #delayEndUs = Number.NEGATIVE_INFINITY;

  constructor(levels: EcuModel['security']) {
    this.#levels = levels ?? {};
  }

  lock(): void {
    this.unlocked = 0;
    this.#seeded = 0;
  }

  /** The response, or a negative response code. */
  request(request: Uint8Array, nowUs: number): Uint8Array | number {
    const subFunction = request[1] as number;
    const isSeed = subFunction % 2 === 1;
    const level = isSeed ? subFunction : subFunction - 1;
    const entry = this.#levels[String(level)];
    if (entry === undefined) return nrc.subFunctionNotSupported;
    if (isSeed ? request.length !== 2 : request.length < 3) return nrc.incorrectLength;
    if (nowUs < this.#delayEndUs) return nrc.delayNotExpired;
    if (!isSeed) return this.#key(level, request.subarray(2), nowUs);
    const seed = bytesOf(entry.seed);
    if (level === this.unlocked) seed.fill(0);
    else this.#seeded = level;
    return Uint8Array.of(sid.security | responseBit, subFunction, ...seed);
  }

  #key(level: number, key: Uint8Array, nowUs: number): Uint8Array | number {
    const isSeeded = this.#seeded === level;
    this.#seeded = 0;
    if (!isSeeded) return nrc.requestSequenceError;
    const { key: right, attempts = 3, delay_ms: delayMs = 10_000 } = this.#entry(level);
    if (isEqual(key, bytesOf(right))) {
      this.unlocked = level;
      this.#wrongKeys = 0;
      return Uint8Array.of(sid.security | responseBit, level + 1);
    }
    this.#wrongKeys += 1;
    if (this.#wrongKeys < attempts) return nrc.invalidKey;
    this.#wrongKeys = 0;
    this.#delayEndUs = nowUs + delayMs * 1000;
    return nrc.exceededAttempts;
  }

  #entry(level: number): NonNullable<EcuModel['security']>[string] {
    return this.#levels[String(level)] as NonNullable<EcuModel['security']>[string];
  }
}
