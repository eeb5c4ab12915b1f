import { type CheckResult, isGood } from '../../../src/e2e/check-state.ts';
import { Checker } from '../../../src/e2e/checker.ts';
import { compileLayout } from '../../../src/e2e/layout.ts';
import { maxFdLength } from '../../../src/frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import type { GatewayProtection } from '../api/client.ts';
import { IdIndex, idKeyOf } from './by-id-table.ts';
import { checkMark, type FrameChunk, gapKind } from './frame-chunk.ts';
import type { GatewayMessage } from './message-names.ts';

/** A received message whose check needs no plugin. */
type CheckedMessage = GatewayMessage & {
  readonly protection: GatewayProtection & {
    readonly settings: NonNullable<GatewayProtection['settings']>;
  };
};

export const isChecked = (message: GatewayMessage): message is CheckedMessage =>
  message.protection?.direction === 'check' && message.protection.settings !== null;

interface Check {
  readonly checker: Checker;
  readonly start: number;
  readonly end: number;
  readonly untilUs: number;
}

const markOf = (result: CheckResult): number => {
  if (isGood(result) || result === 'sync') return checkMark.none;
  if (result === 'repeated') return checkMark.repeated;
  return result === 'wrong_sequence' ? checkMark.outOfSequence : checkMark.wrong;
};

/** Checks received frames as gateways do that protect them end to end. */
export class FrameChecks {
  readonly #checks: readonly Check[];
  readonly #index: IdIndex;

  constructor(messages: readonly CheckedMessage[]) {
    this.#index = new IdIndex(messages.length);
    this.#checks = messages.map(({ slot, id, extended, protection, untilUs = Infinity }, at) => {
      const { first_byte: start, length, settings } = protection;
      const key = idKeyOf(id, extended ? frameFlag.extended : 0);
      // The first of several instances that check a message.
      if (this.#index.find(slot, key) < 0) this.#index.add(slot, key, at);
      const checker = new Checker(compileLayout(settings, length), settings);
      return { checker, start, end: start + length, untilUs };
    });
  }

  /** Returns the mark of a frame (`checkMark`). Frames of a message are taken in their order. */
  take(chunk: FrameChunk, row: number): number {
    const { kind, channel, bus, id, flags, length, payload, timestampUs } = chunk;
    if (kind[row] === gapKind) this.reset();
    const ignored = frameFlag.remote | frameFlag.error;
    const isFrame = kind[row] === eventKindCode.rx_frame && bus[row] === busCode.can;
    const flagsOf = flags[row] as number;
    if (!isFrame || (flagsOf & ignored) !== 0) return checkMark.none;
    const found = this.#index.find(channel[row] as number, idKeyOf(id[row] as number, flagsOf));
    if (found < 0) return checkMark.none;
    const { checker, start, end, untilUs } = this.#checks[found] as Check;
    if ((timestampUs[row] as number) > untilUs) return checkMark.none;
    if ((length[row] as number) < end) return checkMark.wrong;
    return markOf(checker.check(payload, row * maxFdLength + start));
  }

  /** Called for lost frames, after which no counter is expected. */
  reset(): void {
    for (const { checker } of this.#checks) checker.reset();
  }
}
