import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Channel } from '../../api/schema.ts';
import { Notice } from '../../ui/notice.tsx';
import type { SignalRow } from './catalog-tree.ts';

interface ChannelQuestionProps {
  readonly row: SignalRow;
  readonly channels: readonly Channel[];
  readonly onChoose: (channel: Channel) => void;
  readonly onCancel: () => void;
}

/** Asks where to decode a message of which no plan knows the channel. */
export const ChannelQuestion = ({ row, channels, onChoose, onCancel }: ChannelQuestionProps) => {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.querySelector('button')?.focus(), [row]);
  const { message, signal } = row;
  return (
    <Notice tone="ask" testId="channel-question">
      <p>
        No plan decodes {message.name} yet.{' '}
        {channels.length > 0
          ? `Which channel is ${signal.name} on?`
          : 'Open a CAN channel on the page Channels first.'}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it have the focus */}
      <div
        class="actions"
        ref={list}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onCancel();
        }}
      >
        {channels.map((channel) => (
          <button
            key={channel.selector}
            type="button"
            title={channel.selector}
            onClick={() => onChoose(channel)}
          >
            {channel.name ?? channel.selector}
          </button>
        ))}
        <button type="button" class="link" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </Notice>
  );
};
