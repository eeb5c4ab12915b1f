import { readFileSync } from 'node:fs';
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
} from '@nats-io/transport-node';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { errnoOf } from '../../base/errors/errno-of.ts';

export const credentialKinds = ['creds', 'nkey', 'token'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

export interface CredentialFile {
  readonly kind: CredentialKind;
  readonly path: string;
}

export interface NatsSettings {
  /** `nats://host:4222` or `tls://host:4222`. */
  readonly server: string;
  readonly credentials: CredentialFile | null;
  /** File with certificates that sign the server's, or null for those of the system. */
  readonly tlsCa: string | null;
}

const schemes: readonly string[] = ['nats:', 'tls:'];
const defaultPort = '4222';

/** A server as its address is shown. A URL with a password is refused, since status shows it. */
export const parseServer = (text: string): string => {
  const refused = (why: string): never => {
    throw invalidArgument('server', `server ${why}`, { reason: 'server' });
  };
  const url = URL.canParse(text) ? new URL(text) : refused('must be nats://host:port');
  if (!schemes.includes(url.protocol) || url.hostname === '') {
    return refused('must be nats://host:port, or tls://host:port');
  }
  if (url.username !== '' || url.password !== '') {
    return refused('must not contain a user or a password: they belong in a file');
  }
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    return refused('must have nothing after its port');
  }
  return `${url.protocol}//${url.hostname}:${url.port || defaultPort}`;
};

const unreadable = (path: string, why: string): BusbarError =>
  new BusbarError('nats_unauthorized', {
    message: `The credential file ${path} ${why}`,
    details: { reason: 'credential_file', path },
  });

const readFile = (path: string): Uint8Array => {
  try {
    return readFileSync(path);
  } catch (thrown) {
    throw unreadable(path, `cannot be read: ${errnoOf(thrown) ?? 'error'}`);
  }
};

const firstLine = (bytes: Uint8Array): string =>
  (new TextDecoder().decode(bytes).split(/\r?\n/, 1)[0] ?? '').trim();

/** Reads the file for each connection, so that credentials can be replaced. */
export const authenticatorOf = ({ kind, path }: CredentialFile): Authenticator => {
  const bytes = readFile(path);
  if (kind === 'token') return tokenAuthenticator(firstLine(bytes));
  try {
    const authenticator =
      kind === 'creds'
        ? credsAuthenticator(bytes)
        : nkeyAuthenticator(new TextEncoder().encode(firstLine(bytes)));
    // Signs now: an invalid seed is not an error of the server. Errors may quote the file.
    authenticator('nonce');
    return authenticator;
  } catch {
    throw unreadable(path, kind === 'creds' ? 'has no JWT and seed' : 'has no nkey seed');
  }
};

interface TlsSettings {
  readonly host: string;
  readonly ca?: string;
}

/**
 * TLS options, which refuse a server without TLS; undefined if the server decides. With an address
 * as host, the certificate would otherwise be compared with `localhost`.
 */
export const tlsOf = ({ server, tlsCa }: NatsSettings): TlsSettings | undefined => {
  const host = new URL(server).hostname.replace(/^\[|\]$/g, '');
  if (tlsCa !== null) return { host, ca: new TextDecoder().decode(readFile(tlsCa)) };
  return server.startsWith('tls:') ? { host } : undefined;
};
