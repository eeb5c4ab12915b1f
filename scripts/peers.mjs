// External programs that tests use, such as browsers and shells, installed from Debian if
// possible.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The headless shell starts and draws faster than desktop Chromium. */
const shell = '/usr/bin/chromium-headless-shell';
export const browserProgram = existsSync(shell) ? shell : '/usr/bin/chromium';
export const browserPackage = 'chromium-headless-shell';

const peers = [
  { program: shell, package: browserPackage },
  { program: '/usr/bin/zsh', package: 'zsh' },
  { program: '/usr/bin/fish', package: 'fish' },
  { program: '/usr/lib/python3/dist-packages/can/__init__.py', package: 'python3-can' },
  { program: '/usr/lib/python3/dist-packages/pytest/__init__.py', package: 'python3-pytest' },
  { program: '/usr/bin/log2asc', package: 'can-utils' },
  { program: '/usr/bin/tshark', package: 'tshark' },
  { program: '/usr/bin/srec_cat', package: 'srecord' },
  { program: '/usr/bin/gcc', package: 'gcc' },
  { program: '/usr/include/stdio.h', package: 'libc6-dev' },
  { program: '/usr/include/modbus/modbus.h', package: 'libmodbus-dev' },
  { program: '/usr/lib/python3/dist-packages/pymodbus/__init__.py', package: 'python3-pymodbus' },
  { program: '/usr/lib/python3/dist-packages/serial/__init__.py', package: 'python3-serial' },
  { program: '/usr/bin/mbpoll', package: 'mbpoll' },
  { program: '/usr/lib/python3/dist-packages/crccheck/__init__.py', package: 'python3-crccheck' },
  { program: '/usr/bin/socat', package: 'socat' },
  { program: '/usr/bin/jq', package: 'jq' },
  { program: '/usr/bin/curl', package: 'curl' },
  { program: '/usr/sbin/nginx', package: 'nginx-light' },
  { program: '/usr/bin/mmdebstrap', package: 'mmdebstrap' },
  { program: '/usr/bin/caddy', package: 'caddy' },
  { program: '/usr/sbin/nats-server', package: 'nats-server' },
  { program: '/usr/bin/systemd-analyze', package: 'systemd' },
];

/** Exit code of apt-get update and install, as one program: the caller may block meanwhile. */
const install = (packages) =>
  new Promise((resolve) => {
    const script = 'apt-get update -q && apt-get install -y -q --no-install-recommends "$@"';
    const child = spawn('sh', ['-c', script, 'sh', ...packages], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });

export const installPeers = async () => {
  const missing = peers.filter(({ program }) => !existsSync(program)).map((peer) => peer.package);
  if (missing.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall) {
    console.log(
      `Tests that need ${missing.join(', ')} are skipped; install them to run these too.`,
    );
    return;
  }
  console.log(`Installing test peers: ${missing.join(', ')}…`);
  if ((await install(missing)) !== 0) {
    console.log('The test peers could not be installed; tests that need them are skipped.');
  }
};
