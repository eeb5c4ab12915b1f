import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type NatsConnection, nkeys } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { BusbarError } from '../../src/base/errors/busbar-error.ts';
import type { NatsSettings } from '../../src/nats/connection/nats-settings.ts';
import { openLink } from '../../src/nats/connection/open-link.ts';
import type { NatsLink, PublishOutcome } from '../../src/nats/link.ts';
import { type BenchMessage, messageHeaders, parseHeaders } from '../../src/nats/messages.ts';
import { framesSubject } from '../../src/nats/subjects.ts';
import { connectTo, declareStreams, hasNatsServer, NatsServer } from '../support/nats-server.ts';

const stream = 'BUSBAR_FRAMES';
const subject = framesSubject('lab', 'can0');

const batch = (first: number): BenchMessage => ({
  kind: 'frames',
  subject,
  boot: 'boot',
  first,
  last: first + 9,
  count: 10,
  missed: 0,
  body: new Uint8Array(100).fill(first),
});

const publish = (link: NatsLink, message: BenchMessage): Promise<PublishOutcome> =>
  new Promise((resolve) => {
    link.publish(message.subject, messageHeaders('lab', message), message.body, resolve);
  });

const settingsOf = (server: NatsServer, change: Partial<NatsSettings> = {}): NatsSettings => ({
  server: server.url,
  credentials: null,
  tlsCa: null,
  ...change,
});

const open = async (server: NatsServer, change?: Partial<NatsSettings>, bench = 'lab') => {
  const link = await openLink(settingsOf(server, change), bench);
  onTestFinished(() => link.close());
  return link;
};

const startServer = async (config = ''): Promise<NatsServer> => {
  const server = await NatsServer.started(config);
  onTestFinished(() => server.dispose());
  return server;
};

const fileIn = (server: NatsServer, name: string, text: string): string => {
  const path = join(server.directory, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

describe.runIf(hasNatsServer())('a connection to a NATS server', () => {
  let server: NatsServer;
  let reader: NatsConnection;

  beforeAll(async () => {
    server = await NatsServer.started();
    reader = await connectTo(server);
    await declareStreams(reader);
  });

  afterAll(async () => {
    await reader?.close();
    await server?.dispose();
  });

  it('reports where a message is stored, and whether it was before', async () => {
    const link = await open(server);
    const [one, two] = await Promise.all([publish(link, batch(1)), publish(link, batch(11))]);
    expect(one).toEqual({ sequence: 1, isDuplicate: false });
    expect(two).toEqual({ sequence: 2, isDuplicate: false });
    expect(await publish(link, batch(1))).toEqual({ sequence: 1, isDuplicate: true });
  });

  it('reads the newest message of a subject with its headers', async () => {
    const link = await open(server);
    await publish(link, batch(101));
    const stored = await link.lastMessage(stream, subject);
    expect(parseHeaders(stored?.headerOf ?? (() => ''))).toMatchObject({ first: 101, last: 110 });
    expect(Uint8Array.from(stored?.body ?? [])).toEqual(batch(101).body);
    expect(await link.lastMessage(stream, framesSubject('lab', 'other'))).toBeNull();
  });

  it('reports how a stream treats messages, and that one is missing', async () => {
    const link = await open(server);
    expect(await link.streamFacts(stream)).toEqual({ refusesWhenFull: false, maxMessage: null });
    expect(await link.streamFacts('KV_busbar-benches')).toMatchObject({ refusesWhenFull: true });
    expect(await link.streamFacts('OTHER')).toBeNull();
    const outcome = await publish(link, { ...batch(1), subject: 'other.lab' });
    expect(outcome).toMatchObject({ error: { code: 'nats_stream_missing' } });
  });

  it('reports why a stream rejects a message', async () => {
    const link = await open(server);
    const rejected = await new Promise<PublishOutcome>((resolve) => {
      const headers = [['Nats-Expected-Last-Subject-Sequence', '12345']] as const;
      link.publish(framesSubject('lab', 'can9'), headers, new Uint8Array(1), resolve);
    });
    expect(rejected).toMatchObject({ error: { code: 'nats_rejected', details: { code: 10071 } } });
  });

  it('knows the limit of the server for a message', async () => {
    expect((await open(server)).maxPayload).toBe(1024 * 1024);
    const small = await startServer('max_payload: 4096');
    expect((await open(small)).maxPayload).toBe(4096);
  });

  it('ends with an error when the server dies, and reports no outcome after that', async () => {
    const other = await startServer();
    const link = await open(other);
    await other.kill();
    expect((await link.ended).code).toBe('nats_unreachable');
    expect(link.isOpen).toBe(false);
    await expect(openLink(settingsOf(other), 'lab')).rejects.toMatchObject({
      code: 'nats_unreachable',
      details: { server: other.url },
    });
  });

  it('ends immediately when it is closed, also while the server is stopped', async () => {
    const other = await startServer();
    const link = await open(other);
    other.pause();
    onTestFinished(() => other.resume());
    for (let first = 1; first < 1000; first += 10) {
      link.publish(subject, [], new Uint8Array(64 * 1024), () => undefined);
    }
    link.close();
    expect((await link.ended).code).toBe('operation_cancelled');
  });
});

const usersConfig = (publicKey: string): string => `
authorization {
  users: [
    { nkey: ${publicKey}, permissions: {
        publish: ["busbar.lab.>", "$JS.API.STREAM.INFO.*"], subscribe: ["_INBOX.lab.>"] } }
  ]
}`;

describe.runIf(hasNatsServer())('credentials for a NATS server', () => {
  const expectRefusal = async (
    server: NatsServer,
    change: Partial<NatsSettings>,
    reason: string,
  ): Promise<BusbarError> => {
    const error: BusbarError = await openLink(settingsOf(server, change), 'lab').then(
      (link) => {
        link.close();
        throw new Error('It was accepted');
      },
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ code: 'nats_unauthorized', details: { reason } });
    return error;
  };

  it('can be an nkey, which the server knows by its public half', async () => {
    const user = nkeys.createUser();
    const server = await startServer(usersConfig(user.getPublicKey()));
    const seed = fileIn(server, 'lab.nk', `${new TextDecoder().decode(user.getSeed())}\n`);
    const link = await open(server, { credentials: { kind: 'nkey', path: seed } });
    expect(link.isOpen).toBe(true);
    const other = fileIn(server, 'b.nk', new TextDecoder().decode(nkeys.createUser().getSeed()));
    await expectRefusal(server, { credentials: { kind: 'nkey', path: other } }, 'credentials');
    await expectRefusal(server, {}, 'credentials');
  });

  it('can be a token in a file', async () => {
    const server = await startServer('authorization { token: "s3cret" }');
    const good = fileIn(server, 'token', 's3cret\n');
    expect((await open(server, { credentials: { kind: 'token', path: good } })).isOpen).toBe(true);
    const bad = fileIn(server, 'other', 'wr0ng\n');
    const credentials = { kind: 'token', path: bad } as const;
    const error = await expectRefusal(server, { credentials }, 'credentials');
    expect(JSON.stringify([error.toRecord(), String(error.stack)])).not.toContain('wr0ng');
  });

  it('are refused before a connection if their file has none, without showing what it has', async () => {
    const server = await startServer();
    const path = fileIn(server, 'bad', 'SUnotaseed');
    for (const kind of ['nkey', 'creds'] as const) {
      const credentials = { kind, path };
      const error = await expectRefusal(server, { credentials }, 'credential_file');
      expect(error.details.path).toBe(path);
      expect(JSON.stringify(error.toRecord())).not.toContain('SUnotaseed');
    }
    const credentials = { kind: 'token', path: `${path}.missing` } as const;
    await expectRefusal(server, { credentials }, 'credential_file');
  });

  it('end a connection that uses a subject which they do not allow', async () => {
    const user = nkeys.createUser();
    const server = await startServer(usersConfig(user.getPublicKey()));
    const path = fileIn(server, 'lab.nk', new TextDecoder().decode(user.getSeed()));
    const link = await open(server, { credentials: { kind: 'nkey', path } });
    link.publish(framesSubject('other', 'can0'), [], new Uint8Array(1), () => undefined);
    expect(await link.ended).toMatchObject({
      code: 'nats_unauthorized',
      details: { reason: 'permission', operation: 'publish', subject: 'busbar.other.frames.can0' },
    });
  });
});

describe.runIf(hasNatsServer())('TLS', () => {
  const certificate = (server: NatsServer, name: string, subjectAltName: string): string => {
    const path = join(server.directory, name);
    execFileSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...[
        '-keyout',
        `${path}.key`,
        '-out',
        `${path}.pem`,
        '-days',
        '2',
        '-subj',
        '/CN=busbar-test',
      ],
      ...['-addext', `subjectAltName=${subjectAltName}`],
    ]);
    return path;
  };

  const tlsServer = async (subjectAltName: string) => {
    const server = new NatsServer();
    onTestFinished(() => server.dispose());
    const path = certificate(server, 'server', subjectAltName);
    await server.start(`tls { cert_file: "${path}.pem", key_file: "${path}.key" }`);
    return { server, tlsCa: `${path}.pem` };
  };

  it('is used with a server whose certificate the given authority has signed', async () => {
    const { server, tlsCa } = await tlsServer('IP:127.0.0.1');
    expect((await open(server, { tlsCa })).isOpen).toBe(true);
    const unknown = openLink(settingsOf(server), 'lab');
    await expect(unknown).rejects.toMatchObject({
      code: 'nats_unreachable',
      details: { reason: 'tls' },
    });
  });

  it('refuses a certificate for another host', async () => {
    const { server, tlsCa } = await tlsServer('DNS:localhost');
    await expect(openLink(settingsOf(server, { tlsCa }), 'lab')).rejects.toMatchObject({
      code: 'nats_unreachable',
      details: { reason: 'tls' },
    });
  });

  it('is not given up for a server that has none', async () => {
    const server = await startServer();
    const settings = settingsOf(server, { server: server.url.replace('nats:', 'tls:') });
    await expect(openLink(settings, 'lab')).rejects.toMatchObject({ code: 'nats_unreachable' });
  });
});
