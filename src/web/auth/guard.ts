import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { formatHostPort, type HostPort } from '../../base/net/host-port.ts';
import { tokenPrefix } from '../../frame/frames-subprotocol.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A secret that can be compared but not read. */
export class Token {
  readonly #digest: Buffer;

  constructor(text: string) {
    this.#digest = digest(text);
  }

  /** Takes the same time for every candidate of a length. */
  matches(candidate: string): boolean {
    return timingSafeEqual(this.#digest, digest(candidate));
  }
}

const bearer = /^Bearer +([!-~]+) *$/i;

export const bearerToken = (header: string | undefined): string | null =>
  (header === undefined ? null : bearer.exec(header)?.[1]) ?? null;

/**
 * The token offered as a WebSocket subprotocol, because browsers cannot set headers there. Null
 * without one or with several.
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

interface GuardedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly needsToken: boolean;
  readonly upgrade: boolean;
}

const withDefaultPort = (host: string, port: number): string[] =>
  port === 80 ? [`${host}:80`, host] : [`${host}:${port}`];

/**
 * Decides whether to serve a request. With a token, clients must present it. Without one, the
 * listener is on loopback and serves every local program, but no foreign web page. `Origin`
 * reveals requests from a foreign site, and `Host` reveals a rebound DNS name.
 */
export class Guard {
  readonly #token: Token | null;
  readonly #hosts: ReadonlySet<string>;

  constructor(token: Token | null, listener: HostPort) {
    this.#token = token;
    const names = ['127.0.0.1', 'localhost', '[::1]'];
    const own = formatHostPort(listener);
    this.#hosts = new Set([own, ...names.flatMap((name) => withDefaultPort(name, listener.port))]);
  }

  check(request: GuardedRequest): void {
    if (this.#token) {
      if (request.needsToken && !this.#presents(this.#token, request)) {
        throw new BusbarError('unauthorized');
      }
      return;
    }
    const { host, origin } = request.headers;
    const local = host !== undefined && this.#hosts.has(host.toLowerCase());
    const sameOrigin =
      origin === undefined || origin.toLowerCase() === `http://${host}`.toLowerCase();
    if (!local || !sameOrigin) throw new BusbarError('origin_not_allowed');
  }

  #presents(token: Token, { headers, upgrade }: GuardedRequest): boolean {
    const inHeader = bearerToken(headers.authorization);
    if (inHeader !== null) return token.matches(inHeader);
    const offered = upgrade ? subprotocolToken(headers['sec-websocket-protocol']) : null;
    return offered !== null && token.matches(offered);
  }
}
