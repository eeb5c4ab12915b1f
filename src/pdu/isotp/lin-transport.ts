import { type linMasterRequestId, linSlaveResponseId, maxLinLength } from '../../frame/lin.ts';
import { maxShortLength } from './pci.ts';
import { IsotpReceiver, type IsotpReceiverOptions } from './receiver.ts';
import { IsotpSender, type IsotpSenderOptions } from './sender.ts';

/**
 * Transport of LIN diagnostics (ISO 17987-2): the frames of extended addressing with the NAD as
 * address byte, always 8 bytes, filled with FF, and no flow control. The schedule sets the pace:
 *
 *     single       NAD | 0L    | up to 6 bytes
 *     first        NAD | 1L LL | 5 bytes
 *     consecutive  NAD | 2S    | up to 6 bytes
 */
export type LinTransportId = typeof linMasterRequestId | typeof linSlaveResponseId;

/** NAD of the go-to-sleep command. */
const sleepNad = 0;

/** NAD of requests to all slaves, which have no response by default. */
export const functionalNad = 0x7e;

export const isLinTransport = (bytes: Uint8Array, at: number, length: number): boolean =>
  length === maxLinLength && bytes[at] !== sleepNad;

const frameOptions = (id: LinTransportId, nad: number) => ({
  address: { id, extended: false, addressByte: nad },
  fd: false,
  brs: false,
  padding: 0xff,
  hasFlowControl: false,
});

type LinSenderOptions = Pick<IsotpSenderOptions, 'nAsUs'> & {
  readonly id: LinTransportId;
  readonly nad: number;
};

/** Sends in slots of master requests, or as a slave in slots of slave responses. */
export class LinSender extends IsotpSender {
  constructor({ id, nad, nAsUs }: LinSenderOptions) {
    super({
      ...frameOptions(id, nad),
      txDl: maxLinLength,
      maxLength: maxShortLength,
      maxInFlight: 1,
      nAsUs,
      nBsUs: 0,
      waitMax: 0,
    });
  }
}

type LinReceiverOptions = Pick<
  IsotpReceiverOptions,
  'nCrUs' | 'onBegin' | 'onPayload' | 'onFailed' | 'onFinding' | 'isFunctional'
> & {
  readonly nad: number;
  readonly maxLength?: number;
};

/** Receives the messages with one NAD. */
export class LinReceiver extends IsotpReceiver {
  constructor({ nad, maxLength = maxShortLength, ...options }: LinReceiverOptions) {
    super({
      ...frameOptions(linSlaveResponseId, nad),
      ...options,
      maxLength: Math.min(maxLength, maxShortLength),
      blockSize: 0,
      stMinUs: 0,
      nArUs: 0,
    });
  }
}
