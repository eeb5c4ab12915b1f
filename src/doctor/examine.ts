import { portGroup } from '../base/serial/port-group.ts';
import { checkInterfaces, checkKernel, checkNetworkRight } from './can-checks.ts';
import type { DoctorReport, Finding, FindingState } from './finding.ts';
import type { Machine } from './machine.ts';
import {
  checkNative,
  checkOpenFiles,
  checkRealtime,
  checkReceiveBuffer,
  checkTimer,
} from './system-checks.ts';

const usbAdapter = /^tty(USB|ACM)\d+$/;

/** Ports of the board itself. Most kernels have names for several that there are not. */
const boardPort = /^tty(S|AMA|SAC|THS|mxc|PS)\d+$/;

/** The kernel knows the kind of UART, which is 0 where there is none behind the name. */
const isThere = (machine: Machine, name: string): boolean =>
  Number(machine.read(`/sys/class/tty/${name}/type`)) > 0;

const isConsole = (machine: Machine, name: string): boolean =>
  machine.read(`/sys/class/tty/${name}/console`)?.trim() === 'Y';

const portFinding = (machine: Machine, name: string): Finding => {
  const path = `/dev/${name}`;
  const check = `serial.${name}`;
  if (isConsole(machine, name)) {
    const meaning = `${path} is the console of the kernel; free once console=${name} is gone from its command line`;
    return { check, state: 'unknown', meaning, command: null };
  }
  if (machine.mayReadAndWrite(path)) {
    const meaning = `${path} may be used: Modbus, slcan and LIN adapters`;
    return { check, state: 'works', meaning, command: null };
  }
  const group = portGroup(machine.read('/etc/group') ?? '', machine.groupOf(path));
  if (group === undefined) {
    const meaning = `${path} may be used by root only`;
    return { check, state: 'fails', meaning, command: `sudo chmod a+rw ${path}` };
  }
  return {
    check,
    state: 'fails',
    meaning: `${path} may be used by the group ${group} only; log in again after joining it`,
    command: `sudo usermod -aG ${group} ${machine.user.name}`,
  };
};

const checkSerialPorts = (machine: Machine): readonly Finding[] => {
  const names = machine
    .list('/dev')
    .filter((name) => usbAdapter.test(name) || (boardPort.test(name) && isThere(machine, name)));
  if (names.length > 0) return names.map((name) => portFinding(machine, name));
  const meaning = 'No serial adapter is plugged in, and the board has no serial port';
  return [{ check: 'serial', state: 'unknown', meaning, command: null }];
};

const serialGroup = /^dialout:[^:]*:(\d+):/m;

/** The group that systems give serial ports to. */
const checkSerialGroup = (machine: Machine): readonly Finding[] => {
  const check = 'right.serial';
  const gid = serialGroup.exec(machine.read('/etc/group') ?? '')?.[1];
  if (machine.user.isRoot || (gid !== undefined && machine.groups.includes(Number(gid)))) {
    const meaning = 'Serial ports may be used that are plugged in later';
    return [{ check, state: 'works', meaning, command: null }];
  }
  if (gid === undefined) {
    const meaning = 'This system has no group dialout for serial ports';
    return [{ check, state: 'unknown', meaning, command: null }];
  }
  return [
    {
      check,
      state: 'fails',
      meaning: 'Not in the group dialout, which serial ports belong to; log in again after joining',
      command: `sudo usermod -aG dialout ${machine.user.name}`,
    },
  ];
};

type Check = (machine: Machine) => readonly Finding[] | Promise<readonly Finding[]>;

/** In the order in which they are told. */
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

/** Looks at everything that a bench needs of a computer. */
export const examine = async (machine: Machine): Promise<DoctorReport> => {
  const findings = (await Promise.all(checks.map((check) => check(machine)))).flat();
  const count = (state: FindingState): number =>
    findings.filter((finding) => finding.state === state).length;
  return { works: count('works'), fails: count('fails'), unknown: count('unknown'), findings };
};
