import type { LinCommand, LinSlave } from '../database/lin-model.ts';
import { maxLinLength, protectedId } from '../frame/lin.ts';

type NodeCommand = Exclude<
  LinCommand,
  { readonly kind: 'frame' | 'sporadic' | 'master_request' | 'slave_response' }
>;

export interface CommandNetwork {
  readonly slaves: readonly LinSlave[];
  readonly idOf: (frame: string) => number | undefined;
}

/** Why a command has no bytes: its node lacks an attribute. */
export type CommandFault = 'node_without_address' | 'no_message_identifier';

const wildcardSupplier = 0x7fff;
const wildcardFunction = 0xffff;
const anyPid = 0xff;
/** Identifier 0 with wrong parity: no frame has it. */
const invalidPid = 0x40;
const fill = 0xff;

const words = (...values: number[]): number[] =>
  values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff]);

const productOf = ({ product }: LinSlave): number[] =>
  words(product?.supplierId ?? wildcardSupplier, product?.functionId ?? wildcardFunction);

/** NAD, length with service, service and its parameters; unused bytes are 0xFF. */
const request = (nad: number, service: number, parameters: readonly number[]): Uint8Array => {
  const data = new Uint8Array(maxLinLength).fill(fill);
  data.set([nad, parameters.length + 1, service, ...parameters].slice(0, maxLinLength));
  return data;
};

const frameIdRange = (
  { configurableFrames }: LinSlave,
  index: number,
  { idOf }: CommandNetwork,
): number[] =>
  [0, 1, 2, 3].map((offset) => {
    const frame = configurableFrames[index + offset]?.frame;
    const id = frame === undefined ? undefined : idOf(frame);
    return id === undefined ? anyPid : protectedId(id);
  });

const assignFrameId = (
  slave: LinSlave,
  frame: string,
  pid: number,
): readonly number[] | CommandFault => {
  const messageId = slave.configurableFrames.find((each) => each.frame === frame)?.messageId;
  if (messageId === null || messageId === undefined) return 'no_message_identifier';
  const [low = 0, high = 0] = words(slave.product?.supplierId ?? wildcardSupplier);
  return [low, high, ...words(messageId), pid];
};

/** Data of a master request (0x3C), by LIN 2.2 node configuration and LIN 2.0 for frame identifiers. */
export const commandData = (
  command: NodeCommand,
  network: CommandNetwork,
): Uint8Array | CommandFault => {
  if (command.kind === 'free_format')
    return new Uint8Array(maxLinLength).map((_, at) => command.data[at] ?? fill);
  if (command.kind === 'conditional_change_nad') {
    const [nad = 0, ...parameters] = command.data;
    return request(nad, 0xb3, parameters);
  }
  const slave = network.slaves.find(({ name }) => name === command.node);
  const nad = command.kind === 'assign_nad' ? slave?.initialNad : slave?.configuredNad;
  if (slave === undefined || nad === null || nad === undefined) return 'node_without_address';
  switch (command.kind) {
    case 'assign_nad': {
      const { configuredNad } = slave;
      if (configuredNad === null) return 'node_without_address';
      return request(nad, 0xb0, [...productOf(slave), configuredNad]);
    }
    case 'data_dump':
      return request(nad, 0xb4, command.data);
    case 'save_configuration':
      return request(nad, 0xb6, []);
    case 'assign_frame_id_range': {
      const pids = command.pids ?? frameIdRange(slave, command.index, network);
      return request(nad, 0xb7, [command.index, ...pids]);
    }
    case 'assign_frame_id':
    case 'unassign_frame_id': {
      const id = network.idOf(command.frame);
      const pid =
        command.kind === 'assign_frame_id' && id !== undefined ? protectedId(id) : invalidPid;
      const parameters = assignFrameId(slave, command.frame, pid);
      return typeof parameters === 'string' ? parameters : request(nad, 0xb1, parameters);
    }
  }
};
