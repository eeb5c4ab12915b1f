import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import {
  canControllerError,
  canErrorClass,
  canErrorLength,
  canErrorLocation,
  canProtocolError,
  writeCanErrorDetails,
} from '../can-error-frame.ts';
import { busStates } from '../channel-stats.ts';
import { eventStatus } from '../event-status.ts';
import { severity } from './can-error-counters.ts';
import type { CanNode } from './can-node.ts';

/**
 * A node without partner retries some thousand times a second and changes nothing by it. Reported
 * each time, that would push everything else out of the channel's history within seconds.
 */
export const unchangedReportGapUs = 100_000;

const details = new Uint8Array(canErrorLength);

const warningOrPassive = (node: CanNode): number => {
  const { counters } = node;
  const transmits = counters.transmit >= counters.receive;
  if (node.severity === severity.warning) {
    return transmits ? canControllerError.txWarning : canControllerError.rxWarning;
  }
  if (node.severity === severity.passive) {
    return transmits ? canControllerError.txPassive : canControllerError.rxPassive;
  }
  return node.severity === severity.active ? canControllerError.active : 0;
};

const report = (
  node: CanNode,
  errorClass: number,
  controller: number,
  protocol: number,
  location: number,
  status: number,
  atUs: number,
): void => {
  const { counters, reporter } = node;
  writeCanErrorDetails(
    details,
    0,
    controller,
    protocol,
    location,
    counters.transmit,
    counters.receive,
  );
  const id = errorClass | canErrorClass.counters;
  reporter.received(
    busCode.can,
    id,
    frameFlag.error,
    canErrorLength,
    status,
    atUs,
    0,
    0,
    details,
    0,
    canErrorLength,
  );
};

/** Takes over the state that the counters stand for and says whether it is another one. */
const updateSeverity = (node: CanNode): boolean => {
  const next = node.counters.severity;
  if (next === node.severity) return false;
  node.severity = next;
  return true;
};

const announceState = (node: CanNode, atUs: number): void => {
  const state = busStates[node.severity];
  if (state) node.reporter.events.stateChanged(state, node.reporter.unixUs(atUs));
};

const reportError = (
  node: CanNode,
  errorClass: number,
  protocol: number,
  location: number,
  status: number,
  atUs: number,
  countsChanged: boolean,
): void => {
  node.reporter.errorFrames += 1;
  const stateChanged = updateSeverity(node);
  if (!countsChanged && !stateChanged && atUs < node.nextReportUs) return;
  node.nextReportUs = atUs + unchangedReportGapUs;
  const controller = stateChanged ? warningOrPassive(node) : 0;
  const stateClass =
    (controller === 0 ? 0 : canErrorClass.controller) |
    (stateChanged && node.isBusOff ? canErrorClass.busOff : 0);
  report(node, errorClass | stateClass, controller, protocol, location, status, atUs);
  if (!stateChanged) return;
  if (node.isBusOff) node.failQueue(atUs);
  announceState(node, atUs);
};

/** The frame was there, but nobody acknowledged it. A passive node keeps its count. */
export const missAcknowledge = (node: CanNode, atUs: number): void => {
  const counts = !node.counters.isPassive;
  if (counts) node.counters.transmitFailed();
  reportError(
    node,
    canErrorClass.noAcknowledge | canErrorClass.busError,
    0,
    canErrorLocation.acknowledgeSlot,
    eventStatus.no_acknowledge,
    atUs,
    counts,
  );
};

/** The frame that the node was sending has been destroyed. */
export const failToTransmit = (node: CanNode, location: number, atUs: number): void => {
  node.counters.transmitFailed();
  reportError(
    node,
    canErrorClass.protocol | canErrorClass.busError,
    canProtocolError.bit | canProtocolError.transmitting,
    location,
    eventStatus.bus_error,
    atUs,
    true,
  );
};

/** The node could not follow a frame, or saw it destroyed. Who only listens counts nothing. */
export const failToReceive = (
  node: CanNode,
  protocol: number,
  location: number,
  atUs: number,
): void => {
  const before = node.counters.receive;
  if (!node.listenOnly) node.counters.receiveFailed();
  reportError(
    node,
    canErrorClass.protocol | canErrorClass.busError,
    protocol,
    location,
    eventStatus.bus_error,
    atUs,
    node.counters.receive !== before,
  );
};

/** A frame went well: tells if that brought the node into a better state. */
export const reportRelief = (node: CanNode, atUs: number): void => {
  if (!updateSeverity(node)) return;
  const controller = warningOrPassive(node);
  report(node, canErrorClass.controller, controller, 0, 0, eventStatus.state_change, atUs);
  announceState(node, atUs);
};

/** The node is back from bus off. */
export const restart = (node: CanNode, atUs: number): void => {
  node.counters.reset();
  node.recoveredUs = Number.POSITIVE_INFINITY;
  updateSeverity(node);
  report(node, canErrorClass.restarted, 0, 0, 0, eventStatus.state_change, atUs);
  announceState(node, atUs);
};
