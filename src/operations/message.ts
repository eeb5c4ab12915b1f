import { Type } from 'typebox';
import { MessageHistory } from '../broker/history-record.ts';
import { GapEvent, MessageEvent } from '../frame/event-record.ts';
import { framesSubprotocol, tokenPrefix } from '../frame/frames-subprotocol.ts';
import { SendRecord } from '../transmit/send-record.ts';
import { lookupErrors } from './channel.ts';
import { pathSelector, selector } from './channel-schemas.ts';
import { defineOperation } from './define.ts';
import {
  batchFields,
  cursorFields,
  decodeField,
  durationText,
  endFields,
  filterFields,
  frameFields,
  frameFile,
  frameList,
  frameText,
  intervalField,
  limitField,
  nameErrors,
  nameFields,
  neededForFrame,
  notationField,
  timeField,
} from './message-schemas.ts';

const onClient = { place: 'client', daemon: 'required', streaming: false } as const;
const streamed = { place: 'client', daemon: 'required', streaming: true } as const;

const sendErrors = [
  ...lookupErrors.filter((code) => code !== 'channel_not_found'),
  'capacity_exceeded',
  'channel_not_open',
  'channel_cannot_send',
  'operation_cancelled',
  'hardware_error',
  'hardware_timeout',
] as const;

export const messageSend = defineOperation({
  id: 'message.send',
  summary: 'Send a CAN, CAN FD or LIN frame, a message by name, a batch, or a list of frames',
  description:
    'Returns when the hardware has accepted every frame; for a LIN master-read, when the response has arrived. In a batch, frame k is due k cycle times after the first. Over HTTP, count × cycle_us may not exceed 60 seconds. The command line also accepts frame notation: 123#DEADBEEF, 18FF50E5#01, 123#R4, 123##1DEADBEEF. A list is checked completely before its first frame is sent. A message by name is encoded from its signals; those that are not named have the start value of the database.',
  parameters: {
    channel: selector('Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot'),
    frame: frameText,
    frames: frameList,
    file: frameFile,
    ...nameFields,
    ...frameFields,
    ...batchFields,
    cycle: durationText('Cycle time with unit, instead of cycle_us'),
  },
  result: SendRecord,
  kept: ['channel'],
  errors: [...sendErrors, ...nameErrors],
  cliErrors: ['file_not_found', 'file_unavailable'],
  permission: 'operate',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  prepared: true,
  cli: {
    words: ['message', 'send'],
    positionals: ['channel', 'frame', 'signals'],
    rest: 'signals',
    replacedBy: { frame: 'message' },
    alsoOptions: ['channel'],
    callerPaths: ['file'],
    only: ['frame', 'frames', 'cycle'],
    local: ['file'],
    except: ['frames'],
  },
  http: {
    method: 'POST',
    path: '/api/v1/messages',
    success: 200,
    bodyName: 'MessageSendRequest',
    bodyRule: neededForFrame('id', { type: 'sync-break' }),
    bodyExamples: {
      short: { channel: 'SIM00001/0', id: 0x123, data: 'DE AD BE EF' },
      full: {
        channel: 'SIM00001/0',
        type: 'data',
        id: 0x18ff50e5,
        extended: true,
        fd: true,
        brs: true,
        esi: false,
        dlc: 8,
        data: '11 22 33 44 55 66 77 88',
        count: 10,
        cycle_us: 10_000,
        timeout_ms: 1000,
      },
    },
  },
  examples: [
    'busbar message send SIM00001/0 123#DEADBEEF',
    'busbar message send powertrain 123##11122334455667788 --count=1000 --cycle=10ms',
    'busbar message send powertrain Engine EngineSpeed=780 Mode=Idle',
    'busbar message send SIM00001/4 --type=master-read --id=21',
    'busbar message send --channel=tester --file=wake-up.log --cycle=5ms',
  ],
});

export const channelWake = defineOperation({
  id: 'channel.wake',
  summary: 'Wake a LIN bus with a wake-up pulse',
  description:
    'Works for master and slaves. Returns when the hardware has accepted the pulse. The pulse appears as an event with the flag wake_up on every channel of the bus; slaves are ready 100 ms later. A master sends the bus to sleep with the frame 3C#00FFFFFFFFFFFFFF.',
  parameters: { selector: pathSelector, timeout_ms: batchFields.timeout_ms },
  result: SendRecord,
  errors: sendErrors,
  permission: 'operate',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: { words: ['channel', 'wake'], positionals: ['selector'] },
  http: {
    method: 'POST',
    path: '/api/v1/channels/{selector}/wake',
    success: 200,
    bodyName: 'ChannelWakeRequest',
    bodyExamples: { short: {}, full: { timeout_ms: 1000 } },
  },
  examples: ['busbar channel wake SIM00001/5'],
});

export const messageHistory = defineOperation({
  id: 'message.history',
  summary: 'Read past events of channels',
  description:
    'Results are paged: repeat with after set to next_after while has_more is true. With id or direction, a page searches at most 32768 events and may return few or none although more exist. An after that has expired or lies in the future is rejected with cursor_expired: resume from oldest_available - 1. With several channels, the history begins with the oldest event of the busiest one; older lists the channels with older events, which a query of that channel returns.',
  parameters: {
    ...cursorFields,
    ...filterFields,
    ...decodeField,
    limit: limitField,
    time: timeField,
    notation: notationField,
  },
  result: MessageHistory,
  errors: [...lookupErrors, 'channel_not_open', 'cursor_expired'],
  permission: 'observe',
  execution: onClient,
  cli: { words: ['message', 'history'], local: ['time', 'notation'] },
  http: { method: 'GET', path: '/api/v1/messages/history', success: 200 },
  examples: [
    'busbar message history --channel=SIM00001/1 --limit=20',
    'busbar message history --id=100-1FF --direction=rx --time=delta',
  ],
});

const streamErrors = [...lookupErrors, 'channel_not_open'] as const;

export const messageRecv = defineOperation({
  id: 'message.recv',
  summary: 'Print events as they arrive',
  description:
    'Starts with the next event, or after an event ID with --after. Text output looks like candump; jsonl prints one event per line. Lost events are always reported.',
  parameters: {
    ...cursorFields,
    ...filterFields,
    ...decodeField,
    ...endFields('events'),
    time: timeField,
    notation: notationField,
  },
  result: Type.Union([MessageEvent, GapEvent]),
  errors: streamErrors,
  permission: 'observe',
  execution: streamed,
  cli: { words: ['message', 'recv'], local: ['time', 'notation'] },
  http: { none: 'Served as streams at /api/v1/messages/stream and /api/v1/messages/ws' },
  examples: [
    'busbar message recv',
    'busbar message recv --channel=SIM00001/1 --count=10 --format=jsonl',
    'busbar message recv --channel=powertrain --decode',
    'busbar message recv --channel=powertrain --notation',
    'busbar message recv --id=123 --id=18FF0000:1FFF0000 --time=delta',
  ],
});

export const messageStream = defineOperation({
  id: 'message.stream',
  summary: 'Stream events as server-sent events',
  description:
    'Each message event has the event ID as its id and a MessageEvent as its data; a gap event reports lost events as a GapEvent. Starts after Last-Event-ID, else after the after parameter, else with the next event. A comment every 15 seconds keeps the connection alive.',
  parameters: { ...cursorFields, ...filterFields, ...decodeField },
  result: Type.String({ description: 'Server-sent events: message and gap' }),
  errors: streamErrors,
  permission: 'observe',
  execution: streamed,
  cli: null,
  http: {
    method: 'GET',
    path: '/api/v1/messages/stream',
    success: 200,
    mediaType: 'text/event-stream',
    transport: 'sse',
  },
});

export const messageWs = defineOperation({
  id: 'message.ws',
  summary: 'Stream events as binary WebSocket messages',
  description: `Offer the subprotocol ${framesSubprotocol}, followed by ${tokenPrefix}<token> if a token is required and no header can be set. Each binary message is one FRM2 record; a text message reports a gap. Starts after the after parameter, else with the next event.`,
  parameters: { ...cursorFields, ...filterFields, ...intervalField },
  result: Type.Null({ description: 'Switches to WebSocket' }),
  errors: ['unsupported_websocket_subprotocol', ...streamErrors],
  permission: 'observe',
  execution: streamed,
  cli: null,
  http: {
    method: 'GET',
    path: '/api/v1/messages/ws',
    success: 101,
    transport: 'websocket',
  },
});
