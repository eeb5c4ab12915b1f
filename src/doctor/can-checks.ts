import { type Finding, hasCapability } from './finding.ts';
import type { Machine } from './machine.ts';

interface KernelPart {
  readonly module: string;
  readonly purpose: string;
  /** The kernel loads it on first use. */
  readonly loadsItself: boolean;
}

const kernelParts: readonly KernelPart[] = [
  { module: 'can_raw', purpose: 'SocketCAN channels', loadsItself: true },
  { module: 'can_bcm', purpose: 'TX tasks sent by the kernel', loadsItself: true },
  { module: 'can_gw', purpose: 'routes in the kernel', loadsItself: false },
  { module: 'vcan', purpose: 'virtual CAN interfaces', loadsItself: true },
  { module: 'slcan', purpose: 'serial adapters as kernel interfaces', loadsItself: true },
];

/** Module files use hyphens, the kernel underscores. */
const isListed = (list: string, module: string): boolean =>
  list.replaceAll('-', '_').includes(`/${module}.ko`);

const kernelFinding = (machine: Machine, part: KernelPart): Finding => {
  const { module, purpose, loadsItself } = part;
  const check = `kernel.${module}`;
  if (machine.list('/sys/module').includes(module)) {
    return { check, state: 'works', meaning: `Loaded: ${purpose}`, command: null };
  }
  const folder = `/lib/modules/${(machine.read('/proc/sys/kernel/osrelease') ?? '').trim()}`;
  const builtIn = machine.read(`${folder}/modules.builtin`);
  const loadable = machine.read(`${folder}/modules.dep`);
  if (builtIn !== undefined && isListed(builtIn, module)) {
    return { check, state: 'works', meaning: `Built into the kernel: ${purpose}`, command: null };
  }
  if (loadable === undefined) {
    const meaning = `Not loaded, and the kernel modules are not visible here: ${purpose}`;
    return { check, state: 'unknown', meaning, command: null };
  }
  if (!isListed(loadable, module)) {
    const meaning = `This kernel has no ${module}: no ${purpose}`;
    return { check, state: 'fails', meaning, command: null };
  }
  if (loadsItself) {
    const meaning = `Not loaded yet; the kernel loads it on first use: ${purpose}`;
    return { check, state: 'works', meaning, command: null };
  }
  return {
    check,
    state: 'fails',
    meaning: `Not loaded: no ${purpose}`,
    command: `sudo modprobe ${module.replaceAll('_', '-')}`,
  };
};

export const checkKernel = (machine: Machine): readonly Finding[] =>
  kernelParts.map((part) => kernelFinding(machine, part));

const canDevice = '280';
const upFlag = 1;

const canInterfaces = (machine: Machine): readonly string[] =>
  machine
    .list('/sys/class/net')
    .filter((name) => machine.read(`/sys/class/net/${name}/type`)?.trim() === canDevice);

/** An interface has no carrier if its controller or its peer is off. */
const withoutCarrier = (machine: Machine, name: string): Omit<Finding, 'check'> => {
  const indexOf = (of: string, file: string): string =>
    (machine.read(`/sys/class/net/${of}/${file}`) ?? '').trim();
  const linked = indexOf(name, 'iflink');
  if (linked === '' || linked === indexOf(name, 'ifindex')) {
    return {
      state: 'fails',
      meaning: 'Up, but its controller is bus off',
      // Not all drivers can restart a controller in another way.
      command: `sudo ip link set ${name} down && sudo ip link set ${name} up`,
    };
  }
  const other = canInterfaces(machine).find((each) => indexOf(each, 'ifindex') === linked);
  return {
    state: 'fails',
    meaning: 'Up, but its peer is down',
    command: other === undefined ? null : `sudo ip link set ${other} up`,
  };
};

const interfaceFinding = (machine: Machine, name: string): Finding => {
  const folder = `/sys/class/net/${name}`;
  const textOf = (file: string): string => (machine.read(`${folder}/${file}`) ?? '').trim();
  const check = `interface.${name}`;
  const isUp = (Number(textOf('flags')) & upFlag) !== 0;
  if (isUp && textOf('carrier') === '0') return { check, ...withoutCarrier(machine, name) };
  if (isUp) {
    return { check, state: 'works', meaning: 'Up and ready to open', command: null };
  }
  if (hasCapability(machine, 'netAdmin')) {
    const meaning = 'Down; it is configured and brought up when opened';
    return { check, state: 'works', meaning, command: null };
  }
  // Virtual interfaces have no device and no bit rate.
  const isVirtual = machine.list(`${folder}/device`).length === 0;
  const rate = isVirtual ? '' : ' type can bitrate 500000';
  return {
    check,
    state: 'fails',
    meaning: 'Down, and only root may bring it up',
    command: `sudo ip link set ${name} up${rate}`,
  };
};

export const checkInterfaces = (machine: Machine): readonly Finding[] => {
  const names = canInterfaces(machine);
  if (names.length > 0) return names.map((name) => interfaceFinding(machine, name));
  return [
    {
      check: 'interface',
      state: 'fails',
      meaning: 'No CAN interface found; you can create a virtual one to try it out',
      command: 'sudo ip link add dev vcan0 type vcan && sudo ip link set vcan0 up',
    },
  ];
};

export const checkNetworkRight = (machine: Machine): readonly Finding[] => {
  const check = 'right.network';
  const isGranted = hasCapability(machine, 'netAdmin');
  if (isGranted === undefined) {
    const meaning = 'The system does not report process capabilities';
    return [{ check, state: 'unknown', meaning, command: null }];
  }
  if (isGranted) {
    const meaning = 'CAP_NET_ADMIN available: the daemon can configure CAN interfaces itself';
    return [{ check, state: 'works', meaning, command: null }];
  }
  const { name } = machine.user;
  return [
    {
      check,
      state: 'fails',
      meaning:
        'No CAP_NET_ADMIN: CAN interfaces can only be used as root has configured them, unless the daemon is started with this capability',
      command: `sudo -E setpriv --reuid=${name} --regid=$(id -g) --init-groups --inh-caps=+net_admin --ambient-caps=+net_admin $(command -v busbar) daemon start`,
    },
  ];
};
