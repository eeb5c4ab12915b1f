import { type CanLinkChange, canMode, type WantedTiming } from './netlink/can-link-data.ts';
import type { LinkChange } from './netlink/links.ts';

/** What `ip link` calls the bits of a mode, in the order in which it is best read. */
const modeWords = [
  ['fd', canMode.fd],
  ['listen-only', canMode.listenOnly],
  ['loopback', canMode.loopback],
  ['berr-reporting', canMode.busErrorReporting],
  ['cc-len8-dlc', canMode.classicDlc],
  ['triple-sampling', canMode.tripleSampling],
  ['one-shot', canMode.oneShot],
  ['fd-non-iso', canMode.fdNonIso],
  ['presume-ack', canMode.presumeAck],
] as const;

const timingWords = (timing: WantedTiming, prefix: '' | 'd'): readonly string[] => {
  if ('bitrate' in timing) {
    const { bitrate, samplePoint } = timing;
    const point = samplePoint ? [`${prefix}sample-point`, String(samplePoint / 1000)] : [];
    return [`${prefix}bitrate`, String(bitrate), ...point];
  }
  const { quantum, propagation, phase1, phase2, sjw } = timing;
  return [
    ...[`${prefix}tq`, String(quantum), `${prefix}prop-seg`, String(propagation)],
    ...[`${prefix}phase-seg1`, String(phase1), `${prefix}phase-seg2`, String(phase2)],
    ...[`${prefix}sjw`, String(sjw)],
  ];
};

const controllerWords = (change: CanLinkChange): readonly string[] => {
  const { bitTiming, dataBitTiming, modes, restartMs, restart, termination } = change;
  const { mask = 0, flags = 0 } = modes ?? {};
  return [
    ...(bitTiming ? timingWords(bitTiming, '') : []),
    ...(dataBitTiming ? timingWords(dataBitTiming, 'd') : []),
    ...modeWords
      .filter(([, bit]) => (mask & bit) !== 0)
      .flatMap(([word, bit]) => [word, (flags & bit) !== 0 ? 'on' : 'off']),
    ...(restartMs === undefined ? [] : ['restart-ms', String(restartMs)]),
    ...(restart ? ['restart'] : []),
    ...(termination === undefined ? [] : ['termination', String(termination)]),
  ];
};

/** The lines that do the same as a change, for a shell of root. */
export const ipCommands = (
  name: string,
  change: LinkChange,
  needsDown: boolean,
): readonly string[] => {
  const { isUp, mtu, txQueueLength, controller } = change;
  const words = controller ? controllerWords(controller) : [];
  const line = [
    `ip link set ${name}`,
    ...(mtu === undefined ? [] : [`mtu ${mtu}`]),
    ...(txQueueLength === undefined ? [] : [`txqueuelen ${txQueueLength}`]),
    ...(isUp === undefined ? [] : [isUp ? 'up' : 'down']),
    ...(words.length > 0 ? [`type can ${words.join(' ')}`] : []),
  ].join(' ');
  return needsDown ? [`ip link set ${name} down`, line] : [line];
};
