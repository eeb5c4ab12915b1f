import type { Finding } from './finding.ts';
import type { Machine } from './machine.ts';

/** Adapters at USB. Ports of the board itself are there whether something is connected or not. */
const adapter = /^tty(USB|ACM)\d+$/;

const groupName = (machine: Machine, gid: number | undefined): string | undefined => {
  const lines = (machine.read('/etc/group') ?? '').split('\n').map((line) => line.split(':'));
  return lines.find(([, , number]) => gid !== undefined && number === String(gid))?.[0];
};

const portFinding = (machine: Machine, name: string): Finding => {
  const path = `/dev/${name}`;
  const check = `serial.${name}`;
  if (machine.mayReadAndWrite(path)) {
    const meaning = `${path} may be used: Modbus, slcan and LIN adapters`;
    return { check, state: 'works', meaning, command: null };
  }
  const gid = machine.groupOf(path);
  const group = groupName(machine, gid);
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

export const checkSerialPorts = (machine: Machine): readonly Finding[] => {
  const names = machine.list('/dev').filter((name) => adapter.test(name));
  if (names.length > 0) return names.map((name) => portFinding(machine, name));
  const meaning = 'No serial adapter is plugged in';
  return [{ check: 'serial', state: 'unknown', meaning, command: null }];
};

const serialGroup = /^dialout:[^:]*:(\d+):/m;

/** The group that systems give serial ports to. */
export const checkSerialGroup = (machine: Machine): readonly Finding[] => {
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
