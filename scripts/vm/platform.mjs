// Hardware of a machine for the host's architecture.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Unavailable } from './unavailable.mjs';

const platforms = {
  arm64: {
    debian: 'arm64',
    package: 'qemu-system-arm',
    emulator: 'qemu-system-aarch64',
    // Emulating the newest processor is far slower: each return checks a signed address.
    hardware: ['-machine', 'virt'],
    emulatedProcessor: 'cortex-a72',
    console: 'console=ttyAMA0',
  },
  x64: {
    debian: 'amd64',
    package: 'qemu-system-x86',
    emulator: 'qemu-system-x86_64',
    hardware: ['-machine', 'q35'],
    emulatedProcessor: 'Nehalem',
    // On a busy host the emulated timer can fail the kernel's check.
    console: 'console=ttyS0 no_timer_check',
  },
};

/**
 * Emulated unless the caller asks for KVM: on nested hosts KVM hung while booting, and blocked
 * a processor long enough for emulated controllers to lose frames.
 */
const usesKvm = () => process.env.BUSBAR_VM_ACCEL === 'kvm';

/** Platform of this host, with the processor to emulate. */
export const hostPlatform = () => {
  const platform = process.platform === 'linux' ? platforms[process.arch] : undefined;
  if (!platform || !existsSync('/usr/bin/apt-get')) {
    throw new Unavailable('a machine with SocketCAN needs Debian on arm64 or x86-64');
  }
  const processor = usesKvm()
    ? ['-accel', 'kvm', '-cpu', 'max']
    : ['-accel', 'tcg', '-cpu', platform.emulatedProcessor];
  return { ...platform, processor };
};

export const apt = (command, ...args) =>
  spawnSync(
    command,
    ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'APT::Sandbox::User=root', ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  ).status === 0;

const isInstalled = (program) =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'].some((folder) =>
    existsSync(`${folder}/${program}`),
  );

/** Installs the emulator and shared guest programs if missing. */
export const installPrograms = (platform) => {
  const missing = [
    [platform.emulator, platform.package],
    ['candump', 'can-utils'],
    ['ip', 'iproute2'],
  ]
    .filter(([program]) => !isInstalled(program))
    .map(([, debianPackage]) => debianPackage);
  if (missing.length === 0) return;
  const command = `apt-get install --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) {
    throw new Unavailable(`a machine with SocketCAN needs, as root: ${command}`);
  }
  console.log(`Installing for a machine with SocketCAN: ${missing.join(', ')}…`);
  if (
    !apt('apt-get', 'update') ||
    !apt('apt-get', 'install', '-y', ...command.split(' ').slice(2))
  ) {
    throw new Unavailable(`a machine with SocketCAN could not be installed: ${command}`);
  }
};
