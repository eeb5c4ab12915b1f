// node scripts/run-in-vm.mjs <command> [arguments]: runs a command in a virtual machine with
// SocketCAN, for hosts without it and for tests that change interfaces. The guest sees the
// host's files at the same paths, so Node and can-utils are the host's; its writes are
// discarded (scripts/vm/guest-init.sh). The command runs in this folder as root.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { bootFiles } from './vm/boot-files.mjs';
import { cpioArchive } from './vm/cpio.mjs';
import { hostPlatform, installPrograms } from './vm/platform.mjs';
import { Unavailable } from './vm/unavailable.mjs';

export { Unavailable };

const timeoutS = Number(process.env.BUSBAR_VM_TIMEOUT_S ?? 3600);
const memory = process.env.BUSBAR_VM_MEMORY ?? '2G';

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** QEMU options escape a comma by doubling it. */
const inOption = (path) => path.replaceAll(',', ',,');

const jobOf = (command, variables) => {
  const own = { HOME: process.env.HOME ?? '/root', PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const exports = Object.entries({ ...own, ...variables });
  return [
    ...exports.map(([name, value]) => `export ${name}=${quoted(value)}`),
    `cd ${quoted(process.cwd())} && exec ${command.map(quoted).join(' ')}`,
    '',
  ].join('\n');
};

const folderOf = (tag, path, options) => [
  '-fsdev',
  `local,id=${tag},path=${inOption(path)},security_model=none,multidevs=remap${options}`,
  '-device',
  `virtio-9p-pci,fsdev=${tag},mount_tag=${tag}`,
];
const portOf = (name, backend) => [
  '-chardev',
  `${backend},id=${name}`,
  '-device',
  `virtserialport,chardev=${name},name=${name}`,
];

const machineOf = (platform, { boot, scratch, shared }) => [
  ...platform.hardware,
  ...platform.processor,
  ...['-smp', String(Math.min(4, availableParallelism())), '-m', memory],
  ...['-nodefaults', '-display', 'none', '-no-reboot'],
  ...['-kernel', join(boot, 'vmlinuz'), '-initrd', join(scratch, 'initrd')],
  ...['-append', `${platform.console} quiet panic=-1 mitigations=off`],
  ...['-serial', `file:${inOption(join(scratch, 'console'))}`],
  ...folderOf('host', '/', ',readonly=on'),
  ...folderOf('shared', shared, ''),
  ...['-device', 'virtio-serial-pci'],
  ...portOf('output', 'stdio,signal=off'),
  ...portOf('status', `file,path=${inOption(join(scratch, 'status'))}`),
  ...['-object', 'can-bus,id=bus'],
  ...['-device', 'kvaser_pci,canbus=bus', '-device', 'kvaser_pci,canbus=bus'],
];

const ended = (child) =>
  new Promise((resolveEnd, reject) => {
    child.once('error', reject);
    child.once('close', resolveEnd);
  });

const prepare = async () => {
  const platform = hostPlatform();
  installPrograms(platform);
  return { platform, boot: await bootFiles(platform) };
};
/** Shared by all machines of this process. */
let preparing;

/**
 * Runs a command in the machine and returns its exit code. Standard output and errors go to
 * ours, or line by line to `onLine`. `shared` is the only folder in which writes persist.
 * Throws `Unavailable` if no machine can be started.
 */
export const runInVm = async (command, { shared, variables = {}, onLine } = {}) => {
  preparing ??= prepare();
  const { platform, boot } = await preparing;
  const scratch = await mkdtemp(join(tmpdir(), 'busbar-vm-'));
  try {
    const own = cpioArchive([
      ['init', await readFile(join(import.meta.dirname, 'vm', 'guest-init.sh')), 0o755],
      ['run/job', jobOf(command, variables)],
      ['run/shared', shared ?? scratch],
    ]);
    const base = await readFile(join(boot, 'base.cpio'));
    await writeFile(join(scratch, 'initrd'), Buffer.concat([base, own]));
    const folders = { boot, scratch, shared: shared ?? scratch };
    const machine = spawn(platform.emulator, machineOf(platform, folders), {
      // The output closes when the input ends, so the input stays open.
      stdio: ['pipe', onLine ? 'pipe' : 'inherit', 'inherit'],
    });
    if (onLine) createInterface(machine.stdout).on('line', onLine);
    const stop = () => machine.kill('SIGKILL');
    const timeout = setTimeout(stop, timeoutS * 1000);
    process.once('exit', stop);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
    await ended(machine);
    clearTimeout(timeout);
    process.removeListener('exit', stop);
    const status = await readFile(join(scratch, 'status'), 'utf8').catch(() => '');
    if (status.trim() !== '') return Number(status);
    const said = await readFile(join(scratch, 'console'), 'utf8').catch(() => '');
    console.log(said.split('\n').slice(-40).join('\n'));
    console.log(`The machine ended before the command, or after ${timeoutS} s`);
    return 1;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

/** Runs a step that needs a machine; without one it is skipped, unless CI requires it. */
export const orSkip = async (what, run) => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const isRequired = process.env.CI === 'true';
    console.log(`${isRequired ? 'Failed' : 'Skipped'}: ${what}: ${error.message}`);
    return isRequired ? 1 : 0;
  }
};

export const runInVmOrSkip = (what, command, options) =>
  orSkip(what, () => runInVm(command, options));

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  const command = process.argv.slice(2);
  if (command.length === 0) {
    console.log('Usage: node scripts/run-in-vm.mjs <command> [arguments]');
    process.exit(2);
  }
  process.exitCode = await runInVmOrSkip(command[0], command);
}
