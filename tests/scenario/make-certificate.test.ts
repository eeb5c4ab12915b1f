import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPeer } from '../support/peers.ts';
import { repository, setUpWorkbench } from '../support/workbench.ts';

const program = join(repository, 'packaging', 'https', 'make-certificate');

const make = (args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  spawnSync('/bin/sh', ['-c', 'umask 022; exec /bin/sh "$0" "$@"', program, ...args], {
    encoding: 'utf8',
    env,
  });

describe.runIf(hasPeer('/usr/bin/openssl', 'openssl'))('make-certificate', () => {
  it('says what is wrong, and leaves nothing that is in the way of the next time', () => {
    const { project } = setUpWorkbench();
    const folder = join(project, 'etc', 'tls');
    const refused = make([folder, '300.1.1.1']);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^make-certificate: openssl failed: .*bad ip address/s);
    expect(readdirSync(folder)).toEqual([]);

    const { status, stdout, stderr } = make([folder, 'bench.lab', '192.168.1.20']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^sha256 Fingerprint=[0-9A-F:]{95}\n$/i);
    const modes = ['..', '.', 'certificate.pem', 'key.pem'].map((name) =>
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['755', '755', '644', '600']);
  });

  it('says so where there is no openssl', () => {
    const { project } = setUpWorkbench();
    const bin = join(project, 'bin');
    mkdirSync(bin);
    for (const name of ['mkdir', 'rm']) symlinkSync(`/bin/${name}`, join(bin, name));
    const { status, stderr } = make([join(project, 'tls'), 'bench.lab'], { PATH: bin });
    expect(status).toBe(1);
    expect(stderr).toMatch(/openssl: not found/);
  });
});
