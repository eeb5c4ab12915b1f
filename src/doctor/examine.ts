import { portGroup } from '../base/serial/port-group.ts';
import { checkInterfaces, checkKernel, checkNetworkRight } from './can-checks.ts';
import {
  type DoctorReport,
  type Finding,
  type FindingState,
  hasCapability,
  limitOf,
} from './finding.ts';
import type { Machine } from './machine.ts';

const realtimePriority = 1;

const checkRealtime = (machine: Machine): readonly Finding[] => {
  const check = 'right.realtime';
  const limit = limitOf(machine, 'Max realtime priority');
  const isGranted = hasCapability(machine, 'sysNice');
  if (isGranted || (limit !== undefined && limit >= realtimePriority)) {
    const meaning = 'Real-time scheduling is available for daemon start --realtime';
    return [{ check, state: 'works', meaning, command: null }];
  }
  if (limit === undefined) {
    const meaning = 'The system does not report process limits';
    return [{ check, state: 'unknown', meaning, command: null }];
  }
  const { name } = machine.user;
  return [
    {
      check,
      state: 'fails',
      meaning:
        'No real-time scheduling: frames may be sent late under load; log in again after the change',
      command: `echo '${name} - rtprio 50' | sudo tee /etc/security/limits.d/busbar.conf`,
    },
  ];
};

const clockFolder = '/sys/devices/system/clocksource/clocksource0';

const slowClocks: ReadonlySet<string> = new Set([
  'jiffies',
  'refined-jiffies',
  'acpi_pm',
  'hpet',
  'pit',
]);

const checkTimer = (machine: Machine): readonly Finding[] => {
  const check = 'timer';
  const clock = machine.read(`${clockFolder}/current_clocksource`)?.trim();
  if (!clock) {
    const meaning = 'The system does not report its clock source';
    return [{ check, state: 'unknown', meaning, command: null }];
  }
  if (!slowClocks.has(clock)) {
    const meaning = `The clock source ${clock} is fast`;
    return [{ check, state: 'works', meaning, command: null }];
  }
  const others = (machine.read(`${clockFolder}/available_clocksource`) ?? '').trim().split(/\s+/);
  const better = others.find((other) => other !== '' && !slowClocks.has(other));
  return [
    {
      check,
      state: 'fails',
      meaning: `The clock source ${clock} is slow: timestamps and deadlines are less accurate`,
      command: better ? `echo ${better} | sudo tee ${clockFolder}/current_clocksource` : null,
    },
  ];
};

const checkNative = async (machine: Machine): Promise<readonly Finding[]> => {
  const check = 'native';
  const refusal = await machine.nativeRefusal();
  if (refusal === undefined) {
    const meaning = 'System calls are available: kernel timer, serial ports, SocketCAN';
    return [{ check, state: 'works', meaning, command: null }];
  }
  const meaning = `System calls are not available (${refusal}): no precise timer, serial ports or SocketCAN; install the package for this machine, which contains the library`;
  return [{ check, state: 'fails', meaning, command: null }];
};

const enoughFiles = 1024;

const checkOpenFiles = (machine: Machine): readonly Finding[] => {
  const check = 'limit.open_files';
  const limit = limitOf(machine, 'Max open files');
  if (limit === undefined) {
    const meaning = 'The system does not report process limits';
    return [{ check, state: 'unknown', meaning, command: null }];
  }
  if (limit >= enoughFiles) {
    const meaning = `Up to ${limit} open files`;
    return [{ check, state: 'works', meaning, command: null }];
  }
  const meaning = `Only ${limit} open files allowed: too few for many clients`;
  return [{ check, state: 'fails', meaning, command: `ulimit -n ${enoughFiles}` }];
};

/** Room for several thousand frames of about 760 bytes. */
const enoughBuffer = 4 << 20;

const fullBuffer = 32 << 20;

const checkReceiveBuffer = (machine: Machine): readonly Finding[] => {
  const check = 'limit.receive_buffer';
  const text = machine.read('/proc/sys/net/core/rmem_max')?.trim();
  if (hasCapability(machine, 'netAdmin')) {
    const meaning = 'CAP_NET_ADMIN available: CAN sockets get the receive buffer they need';
    return [{ check, state: 'works', meaning, command: null }];
  }
  if (!text) {
    const meaning = 'The system does not report the limit of receive buffers';
    return [{ check, state: 'unknown', meaning, command: null }];
  }
  if (Number(text) >= enoughBuffer) {
    const meaning = `CAN sockets can have receive buffers of ${text} bytes`;
    return [{ check, state: 'works', meaning, command: null }];
  }
  return [
    {
      check,
      state: 'fails',
      meaning: `CAN sockets can only have receive buffers of ${text} bytes; heavy bus traffic fills them within milliseconds`,
      command: `sudo sysctl -w net.core.rmem_max=${fullBuffer}`,
    },
  ];
};

const usbAdapter = /^tty(USB|ACM)\d+$/;

/** On-board ports. Most kernels list several that do not exist. */
const boardPort = /^tty(S|AMA|SAC|THS|mxc|PS)\d+$/;

/** UART type 0 means that no port exists. */
const isThere = (machine: Machine, name: string): boolean =>
  Number(machine.read(`/sys/class/tty/${name}/type`)) > 0;

const isConsole = (machine: Machine, name: string): boolean =>
  machine.read(`/sys/class/tty/${name}/console`)?.trim() === 'Y';

const portFinding = (machine: Machine, name: string): Finding => {
  const path = `/dev/${name}`;
  const check = `serial.${name}`;
  if (isConsole(machine, name)) {
    const meaning = `${path} is the kernel console; remove console=${name} from the kernel command line to free it`;
    return { check, state: 'unknown', meaning, command: null };
  }
  if (machine.mayReadAndWrite(path)) {
    const meaning = `${path} is accessible: Modbus, slcan and LIN adapters`;
    return { check, state: 'works', meaning, command: null };
  }
  const group = portGroup(machine.read('/etc/group') ?? '', machine.groupOf(path));
  if (group === undefined) {
    const meaning = `${path} is accessible to root only`;
    return { check, state: 'fails', meaning, command: `sudo chmod a+rw ${path}` };
  }
  return {
    check,
    state: 'fails',
    meaning: `${path} is accessible to the group ${group} only; log in again after joining it`,
    command: `sudo usermod -aG ${group} ${machine.user.name}`,
  };
};

const checkSerialPorts = (machine: Machine): readonly Finding[] => {
  const names = machine
    .list('/dev')
    .filter((name) => usbAdapter.test(name) || (boardPort.test(name) && isThere(machine, name)));
  if (names.length > 0) return names.map((name) => portFinding(machine, name));
  const meaning = 'No serial adapter is connected, and the board has no serial port';
  return [{ check: 'serial', state: 'unknown', meaning, command: null }];
};

const serialGroup = /^dialout:[^:]*:(\d+):/m;

const checkSerialGroup = (machine: Machine): readonly Finding[] => {
  const check = 'right.serial';
  const gid = serialGroup.exec(machine.read('/etc/group') ?? '')?.[1];
  if (machine.user.isRoot || (gid !== undefined && machine.groups.includes(Number(gid)))) {
    const meaning = 'Serial ports connected later will be accessible';
    return [{ check, state: 'works', meaning, command: null }];
  }
  if (gid === undefined) {
    const meaning = 'This system has no dialout group for serial ports';
    return [{ check, state: 'unknown', meaning, command: null }];
  }
  return [
    {
      check,
      state: 'fails',
      meaning: 'Not a member of dialout, the group of serial ports; log in again after joining it',
      command: `sudo usermod -aG dialout ${machine.user.name}`,
    },
  ];
};

type Check = (machine: Machine) => readonly Finding[] | Promise<readonly Finding[]>;

const checks: readonly Check[] = [
  checkNative,
  checkKernel,
  checkInterfaces,
  checkNetworkRight,
  checkSerialPorts,
  checkSerialGroup,
  checkRealtime,
  checkTimer,
  checkOpenFiles,
  checkReceiveBuffer,
];

export const examine = async (machine: Machine): Promise<DoctorReport> => {
  const findings = (await Promise.all(checks.map((check) => check(machine)))).flat();
  const count = (state: FindingState): number =>
    findings.filter((finding) => finding.state === state).length;
  return { works: count('works'), fails: count('fails'), unknown: count('unknown'), findings };
};
