import { type ReadonlySignal, signal } from '@preact/signals';
import type { MessageSendRequest } from '../../api/client.ts';
import { rememberedList } from '../../storage/remembered.ts';

export interface SentFrame {
  readonly at: number;
  readonly request: MessageSendRequest;
  readonly advanced: boolean;
  readonly accepted: number;
}

export const maxHistory = 30;

/** A repeated frame moves to the top instead of being listed twice. */
export const withSent = (history: readonly SentFrame[], frame: SentFrame): readonly SentFrame[] => {
  const text = JSON.stringify(frame.request);
  const others = history.filter(({ request }) => JSON.stringify(request) !== text);
  return [frame, ...others].slice(0, maxHistory);
};

const noFrame: SentFrame = { at: 0, request: { channel: '' }, advanced: false, accepted: 0 };
const kept = rememberedList('busbar.sent', noFrame);
const frames = signal<readonly SentFrame[]>(kept.get());

export const sentHistory: ReadonlySignal<readonly SentFrame[]> = frames;

export const rememberSent = (frame: SentFrame): void => {
  frames.value = withSent(frames.peek(), frame);
  kept.set(frames.peek());
};

export const forgetSent = (): void => {
  frames.value = [];
  kept.set([]);
};
