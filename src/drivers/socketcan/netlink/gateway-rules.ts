import { attribute, readAttributes, readNumber, readNumbers, words } from './attributes.ts';
import { messageType, type NetlinkMessage } from './messages.ts';

/**
 * Kernel rules that forward frames between interfaces (can/gw.h): a `struct rtcanmsg` followed
 * by attributes.
 *
 *     0        1      2       4
 *     | family | type | flags | attributes …
 */

const family = 29;
const canToCan = 1;
const headLength = 4;

const ruleFlag = { echo: 1, fd: 8 } as const;
const key = {
  orFrame: 2,
  setFrame: 4,
  handled: 7,
  dropped: 8,
  source: 9,
  target: 10,
  filter: 11,
  deleted: 12,
  mark: 14,
  orFdFrame: 16,
  setFdFrame: 18,
} as const;

const part = { id: 1, data: 4 } as const;

export interface GatewayRule {
  readonly source: number;
  readonly target: number;
  readonly fd: boolean;
  readonly filter: { readonly id: number; readonly mask: number };
  readonly setId: number | undefined;
  readonly mark: number;
}

export interface ListedRule extends Omit<GatewayRule, 'mark'> {
  readonly mark: number | undefined;
  readonly handled: number;
  readonly dropped: number;
  readonly deleted: number;
}

const modification = (fd: boolean, id: number, parts: number): Buffer => {
  const bytes = Buffer.alloc((fd ? 72 : 16) + 1);
  bytes.writeUInt32LE(id, 0);
  bytes[bytes.length - 1] = parts;
  return bytes;
};

export const encodeRule = (rule: GatewayRule): Buffer => {
  const { fd, filter, setId, source, target, mark } = rule;
  const head = Buffer.from([family, canToCan, ruleFlag.echo | (fd ? ruleFlag.fd : 0), 0]);
  // The kernel drops the mark of a rule without modifications. OR with zeros changes nothing.
  const nothing = modification(fd, 0, part.data);
  const change = setId === undefined ? undefined : modification(fd, setId, part.id);
  return Buffer.concat(
    [
      head,
      attribute(fd ? key.orFdFrame : key.orFrame, nothing),
      change && attribute(fd ? key.setFdFrame : key.setFrame, change),
      attribute(key.source, words(source)),
      attribute(key.target, words(target)),
      attribute(key.filter, words(filter.id, filter.mask)),
      attribute(key.mark, words(mark)),
    ].filter((bytes) => bytes !== undefined),
  );
};

export const allRules = (): Buffer => Buffer.from([family, 0, 0, 0]);

/**
 * Parses the rule of a message. Without the kernel's CAN gateway, a request for rules returns
 * IP routes, which are ignored.
 */
export const readRule = ({ type, body }: NetlinkMessage): ListedRule | undefined => {
  if (type !== messageType.newRoute || body.length < headLength || body[0] !== family) {
    return undefined;
  }
  const values = readAttributes(body.subarray(headLength));
  const [id = 0, mask = 0] = readNumbers(values.get(key.filter), 4);
  const set = values.get(key.setFrame) ?? values.get(key.setFdFrame);
  return {
    source: readNumber(values.get(key.source)) ?? 0,
    target: readNumber(values.get(key.target)) ?? 0,
    fd: (body.readUInt16LE(2) & ruleFlag.fd) !== 0,
    filter: { id, mask },
    setId: set && ((set[set.length - 1] ?? 0) & part.id) !== 0 ? set.readUInt32LE(0) : undefined,
    mark: readNumber(values.get(key.mark)),
    handled: readNumber(values.get(key.handled)) ?? 0,
    dropped: readNumber(values.get(key.dropped)) ?? 0,
    deleted: readNumber(values.get(key.deleted)) ?? 0,
  };
};
