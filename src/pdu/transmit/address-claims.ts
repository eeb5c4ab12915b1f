import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { FoundChannel } from '../../bench/channel-table.ts';
import { maxAddress } from '../../database/j1939.ts';
import { checkInService } from '../../transmit/selected-channel.ts';
import { callerGone, sendFailure } from '../../transmit/send-failures.ts';
import { nameText, parseName } from '../j1939/name.ts';
import { givenCount } from '../pdu-filter.ts';
import type { J1939ClaimRecord } from './claim-record.ts';
import { HeldAddress } from './held-address.ts';

export interface ClaimRequest {
  readonly name: string;
  readonly address: number | string;
}

export interface AddressClaimsOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly capacity: number;
  readonly random: () => number;
}

/** Addresses that this daemon claims on its channels. */
export class AddressClaims {
  readonly #options: AddressClaimsOptions;
  readonly #held = new Map<string, HeldAddress>();
  #added = 0;

  constructor(options: AddressClaimsOptions) {
    this.#options = options;
  }

  /** Resolves when the address is claimed. A claim that fails leaves no trace. */
  async add(
    found: FoundChannel,
    request: ClaimRequest,
    signal?: AbortSignal,
  ): Promise<J1939ClaimRecord> {
    try {
      const held = this.#start(found, request, signal);
      const leave = (): void => held.cancel();
      signal?.addEventListener('abort', leave);
      try {
        await held.claimed;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
      return held.record();
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  list(): J1939ClaimRecord[] {
    return [...this.#held.values()].map((held) => held.record());
  }

  /** J1939 has no message that releases an address. */
  remove(claimId: string): J1939ClaimRecord {
    const held = this.#held.get(claimId);
    if (!held) {
      throw new BusbarError('claim_not_found', {
        message: `No such claim: ${claimId}`,
        details: { claim_id: claimId },
      });
    }
    const record = held.record();
    held.cancel();
    held.end();
    return record;
  }

  #start(found: FoundChannel, request: ClaimRequest, signal: AbortSignal | undefined): HeldAddress {
    const { clock, scheduler, random } = this.#options;
    const { channel, text } = found;
    checkInService(found);
    if (channel.hardware.bus === 'lin') {
      throw invalidArgument('channel', `${text} is a LIN channel; J1939 needs CAN`, {
        reason: 'not_on_bus',
        bus: 'lin',
      });
    }
    const name = parseName(request.name, 'name');
    const address = givenCount('address', request.address, maxAddress);
    this.#checkFree(found, name);
    if (signal?.aborted) throw callerGone();
    const id = `claim-${++this.#added}`;
    const onEnded = (): void => void this.#held.delete(id);
    const held = new HeldAddress({
      ...{ id, found, name, address },
      ...{ clock, scheduler, random, onEnded },
    });
    this.#held.set(id, held);
    held.start();
    return held;
  }

  #checkFree({ channel, text }: FoundChannel, name: bigint): void {
    const { capacity } = this.#options;
    for (const held of this.#held.values()) {
      if (held.channel !== channel || held.claim.name !== name) continue;
      throw new BusbarError('already_exists', {
        message: `${nameText(name)} already claims an address on ${text}`,
        details: { field: 'name', claim_id: held.id },
      });
    }
    if (this.#held.size < capacity) return;
    throw new BusbarError('capacity_exceeded', {
      message: `At most ${capacity} addresses can be claimed`,
      details: { limit: capacity },
    });
  }
}
