import { createHash, timingSafeEqual } from 'node:crypto';
import { tokenPrefix } from '../../frame/frames-subprotocol.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A secret that can be compared but not read back. */
export class Token {
  readonly #digest: Buffer;

  constructor(text: string) {
    this.#digest = digest(text);
  }

  /** Takes the same time for every candidate of a length, right or wrong. */
  matches(candidate: string): boolean {
    return timingSafeEqual(this.#digest, digest(candidate));
  }
}

const bearer = /^Bearer +([!-~]+) *$/i;

/** The token of an Authorization header, or null where it holds none. */
export const bearerToken = (header: string | undefined): string | null =>
  (header === undefined ? null : bearer.exec(header)?.[1]) ?? null;

/**
 * The token that a WebSocket client offers as a subprotocol, because browsers let it set no
 * header. Null where none is offered; of several, none is trusted.
 */
export const subprotocolToken = (header: string | undefined): string | null => {
  if (header === undefined) return null;
  const offered = header
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name.startsWith(tokenPrefix));
  const [only] = offered;
  return offered.length === 1 && only !== undefined ? only.slice(tokenPrefix.length) : null;
};
