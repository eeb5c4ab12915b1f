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
  durationText,
  endFields,
  filterFields,
  frameFields,
  frameFile,
  frameList,
  frameText,
  limitField,
  neededUnless,
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
  summary: 'Send a CAN, CAN FD or LIN frame, once or many times, or a list of them',
  description:
    'Answers when the hardware has accepted every frame, and for a LIN master-read when the response is there. Frame k of a batch is due k cycles after the first. Over HTTP count × cycle_us may not exceed 60 seconds. On the command line the frame may be given in short: 123#DEADBEEF, 18FF50E5#01, 123#R4, 123##1DEADBEEF. A list is checked whole before its first frame is sent; frame k of it is due k cycles after the first.',
  parameters: {
    channel: selector('Channel to send on: <sn>/<port>, <uid>/<port>, name, network or slot'),
    frame: frameText,
    frames: frameList,
    file: frameFile,
    ...frameFields,
    ...batchFields,
    cycle: durationText('Time from one frame to the next with its unit, instead of cycle_us'),
  },
  result: SendRecord,
  kept: ['channel'],
  errors: sendErrors,
  cliErrors: ['file_not_found', 'file_unavailable'],
  permission: 'operate',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  // Every frame of a list is checked.
  prepared: true,
  cli: {
    words: ['message', 'send'],
    positionals: ['channel', 'frame'],
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
    bodyRule: neededUnless('id', { type: 'sync-break' }),
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
    'busbar message send SIM00001/4 --type=master-read --id=21',
    'busbar message send --channel=tester --file=wake-up.log --cycle=5ms',
  ],
});

export const channelWake = defineOperation({
  id: 'channel.wake',
  summary: 'Wake a LIN bus with a pulse',
  description:
    'Master and slaves alike may do so. Answers when the hardware has accepted the pulse, which then is an event with the flag wake_up on every channel of the bus; slaves are ready 100 ms later. A master sends the bus to sleep with the frame 3C#00FFFFFFFFFFFFFF.',
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
  summary: 'Read past events of channels, a page at a time',
  description:
    'Ask again with after set to next_after for the next page, as long as has_more says so. With id or direction a page looks at 32768 events at most and may then hold few or none, although there are more. An after whose events are no longer kept, or that lies in the future, is refused with cursor_expired: go on from oldest_available - 1. Several channels begin where the busiest one does; older names those that keep more when they are asked for alone.',
  parameters: { ...cursorFields, ...filterFields, limit: limitField, time: timeField },
  result: MessageHistory,
  errors: [...lookupErrors, 'channel_not_open', 'cursor_expired'],
  permission: 'observe',
  execution: onClient,
  cli: { words: ['message', 'history'], local: ['time'] },
  http: { method: 'GET', path: '/api/v1/messages/history', success: 200 },
  examples: [
    'busbar message history --channel=SIM00001/1 --limit=20',
    'busbar message history --id=100-1FF --direction=rx --time=delta',
  ],
});

const streamErrors = [...lookupErrors, 'channel_not_open'] as const;

export const messageRecv = defineOperation({
  id: 'message.recv',
  summary: 'Print events as they come',
  description:
    'Starts with what comes next, or behind an event id with --after. Text looks like candump; jsonl prints an event a line. Events lost on the way are reported, never passed over.',
  parameters: {
    ...cursorFields,
    ...filterFields,
    ...endFields('events'),
    time: timeField,
  },
  result: Type.Union([MessageEvent, GapEvent]),
  errors: streamErrors,
  permission: 'observe',
  execution: streamed,
  cli: { words: ['message', 'recv'], local: ['time'] },
  http: { none: 'Served as a stream at /api/v1/messages/stream and /api/v1/messages/ws' },
  examples: [
    'busbar message recv',
    'busbar message recv --channel=SIM00001/1 --count=10 --format=jsonl',
    'busbar message recv --id=123 --id=18FF0000:1FFF0000 --time=delta',
  ],
});

export const messageStream = defineOperation({
  id: 'message.stream',
  summary: 'Follow events as server-sent events',
  description:
    'Each event message has the event id as its id and a MessageEvent as its data; an event gap tells what was lost, as a GapEvent. Starts behind Last-Event-ID, else behind after, else live. A comment keeps the connection alive every 15 seconds.',
  parameters: { ...cursorFields, ...filterFields },
  result: Type.String({ description: 'An endless stream of events message and gap' }),
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
  summary: 'Follow events as binary WebSocket messages',
  description: `Offer the subprotocol ${framesSubprotocol}, and ${tokenPrefix}<token> behind it where a token is needed and no header can be set. Each binary message is one FRM2 record; a text message tells of a gap. Starts behind after, else live.`,
  parameters: { ...cursorFields, ...filterFields },
  result: Type.Null({ description: 'The connection becomes a WebSocket' }),
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
