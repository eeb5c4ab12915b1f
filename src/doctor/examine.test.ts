import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';
import type { Machine } from './machine.ts';
import { fakeMachine } from './testing/fake-machine.ts';

const status = (...capabilities: readonly number[]): string => {
  const bits = capabilities.reduce((all, bit) => all | (1n << BigInt(bit)), 0n);
  return `Name:\tnode\nCapInh:\tffffffffffffffff\nCapEff:\t${bits.toString(16).padStart(16, '0')}\n`;
};
const limits = (priority: string, files: string): string => `
Limit                     Soft Limit           Hard Limit           Units
Max open files            ${files}                 1048576              files
Max realtime priority     ${priority}                    0                    `;

const netAdmin = 12;
const sysNice = 23;
const modules = '/lib/modules/6.1.0';
const clock = '/sys/devices/system/clocksource/clocksource0';
const group = 'root:x:0:\ndialout:x:20:grace\nplugdev:x:46:\n';
const release = { '/proc/sys/kernel/osrelease': '6.1.0\n' };

const findingOf = async (machine: Machine, check: string): Promise<Finding | undefined> =>
  (await examine(machine)).findings.find((finding) => finding.check === check);
const verdict = async (machine: Machine, check: string) => {
  const { state, command } = (await findingOf(machine, check)) ?? {};
  return [state, command];
};

describe('a computer', () => {
  it('of which nothing can be seen is told as such, and every state is counted', async () => {
    const report = await examine(fakeMachine());
    const states = report.findings.map(({ state }) => state);
    expect(report.works + report.fails + report.unknown).toBe(states.length);
    expect(report.findings.filter(({ state }) => state === 'works').map((f) => f.check)).toEqual([
      'native',
    ]);
    expect(new Set(report.findings.map(({ check }) => check)).size).toBe(states.length);
  });

  it('that has everything needs no command', async () => {
    const report = await examine(
      fakeMachine({
        isRoot: true,
        files: {
          '/proc/self/status': status(netAdmin, sysNice),
          '/proc/self/limits': limits('0', 'unlimited'),
          ...Object.fromEntries(
            ['can_raw', 'can_bcm', 'can_gw', 'vcan', 'slcan'].map((name) => [
              `/sys/module/${name}/refcnt`,
              '0',
            ]),
          ),
          '/sys/class/net/can0/type': '280\n',
          '/sys/class/net/can0/flags': '0x40081\n',
          [`${clock}/current_clocksource`]: 'tsc\n',
          '/etc/group': group,
        },
        devices: { '/dev/ttyACM0': { gid: 20, mayUse: true } },
      }),
    );
    expect(report.findings.filter(({ state }) => state !== 'works')).toEqual([]);
    expect(report.findings.filter(({ command }) => command !== null)).toEqual([]);
  });

  it('without koffi cannot call the system', async () => {
    const finding = await findingOf(fakeMachine({ nativeRefusal: 'no koffi' }), 'native');
    expect(finding).toMatchObject({ state: 'fails', meaning: expect.stringContaining('no koffi') });
  });
});

describe('a module of the kernel', () => {
  const withModules = (dep: string, builtin = '') =>
    fakeMachine({
      files: {
        ...release,
        [`${modules}/modules.dep`]: dep,
        [`${modules}/modules.builtin`]: builtin,
      },
    });

  it.each([
    ['can_raw', 'kernel/net/can/can-raw.ko.xz: kernel/net/can/can.ko.xz', '', 'works', null],
    ['can_raw', '', 'kernel/net/can/can-raw.ko', 'works', null],
    ['can_raw', 'kernel/net/can/can.ko:', '', 'fails', null],
    ['can_gw', 'kernel/net/can/can-gw.ko:', '', 'fails', 'sudo modprobe can-gw'],
  ])(
    '%s is there, loads itself, or has to be loaded',
    async (name, dep, builtin, state, command) => {
      const machine = withModules(dep, builtin);
      expect(await verdict(machine, `kernel.${name}`)).toEqual([state, command]);
    },
  );

  it('is unknown where the modules cannot be seen, as in a container', async () => {
    expect(await verdict(fakeMachine({ files: release }), 'kernel.can_raw')).toEqual([
      'unknown',
      null,
    ]);
  });
});

describe('a CAN interface', () => {
  const can = { '/sys/class/net/can0/type': '280\n', '/sys/class/net/can0/device/uevent': '' };
  const down = { ...can, '/sys/class/net/can0/flags': '0x40080\n' };

  it('that is missing can be made', async () => {
    const ethernet = fakeMachine({ files: { '/sys/class/net/eth0/type': '1\n' } });
    const [state, command] = await verdict(ethernet, 'interface');
    expect([state, command]).toEqual(['fails', expect.stringContaining('type vcan')]);
  });

  it('that is up works', async () => {
    const machine = fakeMachine({ files: { ...can, '/sys/class/net/can0/flags': '0x40081\n' } });
    expect(await verdict(machine, 'interface.can0')).toEqual(['works', null]);
  });

  it('is told to begin anew where it is up and off the bus', async () => {
    const files = { ...can, '/sys/class/net/can0/flags': '0x40081\n' };
    const machine = fakeMachine({ files: { ...files, '/sys/class/net/can0/carrier': '0\n' } });
    expect(await verdict(machine, 'interface.can0')).toEqual([
      'fails',
      'sudo ip link set can0 down && sudo ip link set can0 up',
    ]);
  });

  it('whose other end is down is told so, and which that is', async () => {
    const end = (name: string, index: string, other: string, flags: string) => ({
      [`/sys/class/net/${name}/type`]: '280\n',
      [`/sys/class/net/${name}/ifindex`]: `${index}\n`,
      [`/sys/class/net/${name}/iflink`]: `${other}\n`,
      [`/sys/class/net/${name}/flags`]: `${flags}\n`,
      [`/sys/class/net/${name}/carrier`]: '0\n',
    });
    const one = end('vx0', '7', '8', '0x40081');
    const other = end('vx1', '8', '7', '0x40080');
    const machine = fakeMachine({ files: { ...one, ...other } });
    expect(await verdict(machine, 'interface.vx0')).toEqual(['fails', 'sudo ip link set vx1 up']);
    // Its peer may be in another namespace, where it is not visible.
    expect(await verdict(fakeMachine({ files: one }), 'interface.vx0')).toEqual(['fails', null]);
  });

  it('that is down works for those who may bring it up', async () => {
    const machine = fakeMachine({ files: { ...down, '/proc/self/status': status(netAdmin) } });
    expect(await verdict(machine, 'interface.can0')).toEqual(['works', null]);
  });

  it('that is down is brought up by root, with a rate where it is hardware', async () => {
    expect(await verdict(fakeMachine({ files: down }), 'interface.can0')).toEqual([
      'fails',
      'sudo ip link set can0 up type can bitrate 500000',
    ]);
    const { '/sys/class/net/can0/device/uevent': _, ...virtual } = down;
    expect(await verdict(fakeMachine({ files: virtual }), 'interface.can0')).toEqual([
      'fails',
      'sudo ip link set can0 up',
    ]);
  });
});

describe('a right', () => {
  it.each([
    [status(netAdmin), 'works', null],
    [status(sysNice), 'fails', expect.stringContaining('--reuid=ada')],
    ['nothing', 'unknown', null],
  ])('to set up interfaces is told from %j', async (text, state, command) => {
    const machine = fakeMachine({ files: { '/proc/self/status': text } });
    expect(await verdict(machine, 'right.network')).toEqual([state, command]);
  });

  it.each([
    ['0', status(), 'fails', expect.stringContaining('ada - rtprio 50')],
    ['50', status(), 'works', null],
    ['0', status(sysNice), 'works', null],
  ])('to real time with the limit %s is told', async (priority, text, state, command) => {
    const machine = fakeMachine({
      files: { '/proc/self/limits': limits(priority, '1024'), '/proc/self/status': text },
    });
    expect(await verdict(machine, 'right.realtime')).toEqual([state, command]);
  });

  it.each([
    [{ isRoot: true }, 'works', null],
    [{ groups: [1000, 20] }, 'works', null],
    [{ groups: [1000] }, 'fails', 'sudo usermod -aG dialout ada'],
  ])('to serial ports that come later is told for %j', async (caller, state, command) => {
    const machine = fakeMachine({ ...caller, files: { '/etc/group': group } });
    expect(await verdict(machine, 'right.serial')).toEqual([state, command]);
  });
});

describe('a serial port', () => {
  const port = (gid: number, mayUse: boolean) =>
    fakeMachine({
      files: { '/etc/group': group },
      devices: { '/dev/ttyUSB3': { gid, mayUse }, '/dev/ttyS0': { gid: 20, mayUse: false } },
    });

  it.each([
    [20, true, 'works', null],
    [46, false, 'fails', 'sudo usermod -aG plugdev ada'],
    [999, false, 'fails', 'sudo chmod a+rw /dev/ttyUSB3'],
    [0, false, 'fails', 'sudo chmod a+rw /dev/ttyUSB3'],
  ])('of group %i that may be used: %s', async (gid, mayUse, state, command) => {
    expect(await verdict(port(gid, mayUse), 'serial.ttyUSB3')).toEqual([state, command]);
  });

  it('of which only the name is there is not told', async () => {
    expect(await findingOf(port(20, true), 'serial.ttyS0')).toBeUndefined();
  });

  it('of the board is told where there is one behind its name', async () => {
    const machine = fakeMachine({
      files: {
        '/sys/class/tty/ttyAMA0/type': '32\n',
        '/sys/class/tty/ttyS0/type': '4\n',
        '/sys/class/tty/ttyS0/console': 'Y\n',
        '/sys/class/tty/ttyS1/type': '0\n',
        '/etc/group': group,
      },
      devices: {
        '/dev/ttyAMA0': { gid: 20, mayUse: false },
        '/dev/ttyS0': { gid: 20, mayUse: true },
        '/dev/ttyS1': { gid: 20, mayUse: true },
      },
    });
    const join = 'sudo usermod -aG dialout ada';
    expect(await verdict(machine, 'serial.ttyAMA0')).toEqual(['fails', join]);
    expect(await verdict(machine, 'serial.ttyS0')).toEqual(['unknown', null]);
    expect(await findingOf(machine, 'serial.ttyS1')).toBeUndefined();
    expect(await findingOf(machine, 'serial')).toBeUndefined();
  });
});

describe('a limit', () => {
  it.each([
    ['256', 'fails', 'ulimit -n 1024'],
    ['1024', 'works', null],
  ])('of %s open files is told', async (files, state, command) => {
    const machine = fakeMachine({ files: { '/proc/self/limits': limits('0', files) } });
    expect(await verdict(machine, 'limit.open_files')).toEqual([state, command]);
  });

  it.each([
    ['212992', status(), 'fails', 'sudo sysctl -w net.core.rmem_max=33554432'],
    ['8388608', status(), 'works', null],
    ['212992', status(netAdmin), 'works', null],
  ])('of %s bytes to receive in is told', async (bytes, text, state, command) => {
    const machine = fakeMachine({
      files: { '/proc/sys/net/core/rmem_max': `${bytes}\n`, '/proc/self/status': text },
    });
    expect(await verdict(machine, 'limit.receive_buffer')).toEqual([state, command]);
  });
});

describe('the clock', () => {
  it.each([
    ['tsc', 'tsc hpet', 'works', null],
    ['hpet', 'hpet tsc', 'fails', `echo tsc | sudo tee ${clock}/current_clocksource`],
    ['acpi_pm', 'acpi_pm', 'fails', null],
  ])('%s is quick or slow to read', async (current, available, state, command) => {
    const files = {
      [`${clock}/current_clocksource`]: `${current}\n`,
      [`${clock}/available_clocksource`]: `${available} \n`,
    };
    expect(await verdict(fakeMachine({ files }), 'timer')).toEqual([state, command]);
  });
});
