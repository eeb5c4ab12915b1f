import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually, repository } from '../../support/workbench.ts';

export const nginx = '/usr/sbin/nginx';
export const caddy = '/usr/bin/caddy';
/** Less than two keep-alives of a WebSocket: a stream that is silent for longer is closed. */
export const proxyPatienceS = 35;

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const profile = join(repository, 'packaging', 'https');

interface ProxyPlace {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  /** Address of the Web service. */
  readonly listen: string;
}

/** The shipped profile, except for ports, files and the user. */
type Profile = (place: ProxyPlace) => readonly string[];

export const nginxProfile: Profile = ({ folder, port, plainPort, listen }) => {
  const site = readFileSync(join(profile, 'nginx.conf'), 'utf8')
    .replaceAll('/etc/busbar/tls', join(folder, 'tls'))
    .replaceAll('/var/log/nginx', folder)
    .replaceAll('127.0.0.1:8080', listen)
    .replaceAll('90s', `${proxyPatienceS}s`)
    .replace(/listen \[::\]:.*/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/start.log;\n` +
      `events {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${site}\n}\n`,
  );
  return [nginx, '-p', folder, '-c', file];
};

export const caddyProfile: Profile = ({ folder, port, plainPort, listen }) => {
  const site = readFileSync(join(profile, 'Caddyfile'), 'utf8')
    .replaceAll('/etc/busbar/tls', join(folder, 'tls'))
    .replaceAll('127.0.0.1:8080', listen)
    .replace(
      /^\{$/m,
      `{\nadmin off\nhttp_port ${plainPort}\nhttps_port ${port}\nstorage file_system ${folder}`,
    )
    .replace(/^:443 \{$/m, `https://127.0.0.1:${port} {`);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, site);
  return [caddy, 'run', '--adapter', 'caddyfile', '--config', file];
};

/** A reverse proxy with a profile, over real TLS. */
export class TlsProxy {
  readonly #folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly certificate: string;
  #process: ReturnType<typeof spawn> | undefined;

  constructor(folder: string, ports: readonly [number, number]) {
    this.#folder = folder;
    [this.port, this.plainPort] = ports;
    mkdirSync(folder);
    const tls = join(folder, 'tls');
    execFileSync(join(profile, 'make-certificate'), [tls, 'localhost', '127.0.0.1']);
    this.certificate = readFileSync(join(tls, 'certificate.pem'), 'utf8');
  }

  async start(profileOf: Profile, listen: string): Promise<void> {
    const { port, plainPort } = this;
    const [program = '', ...args] = profileOf({ folder: this.#folder, port, plainPort, listen });
    const log = openSync(join(this.#folder, 'start.log'), 'a');
    this.#process = spawn(program, args, { stdio: ['ignore', 'inherit', log] });
    closeSync(log);
    await eventually(() => this.isUp());
  }

  async isUp(): Promise<boolean> {
    return this.ask('/').then(
      () => true,
      () => false,
    );
  }

  open(path: string, options: RequestOptions = {}, body?: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { port, certificate } = this;
      const sent = request({ host: '127.0.0.1', port, path, ca: certificate, ...options }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async ask(path: string, options: RequestOptions = {}, body?: Buffer) {
    const response = await this.open(path, options, body);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  }

  logs(): string {
    const names = ['busbar-access.log', 'busbar-error.log', 'start.log'];
    const written = names
      .map((name) => join(this.#folder, name))
      .filter((file) => existsSync(file));
    return written.map((file) => readFileSync(file, 'utf8')).join('\n');
  }

  async stop(): Promise<void> {
    if (!this.#process) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }
}
