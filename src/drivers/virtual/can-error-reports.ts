import {
  canControllerError,
  canErrorClass,
  canErrorLength,
  canErrorLocation,
  canProtocolError,
  writeCanErrorDetails,
} from '../../frame/can-error-frame.ts';
import { busStates } from '../channel-stats.ts';
import { eventStatus } from '../event-status.ts';
import { severity } from './can-error-counters.ts';
import type { CanNode } from './can-node.ts';

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

const describe = (node: CanNode, controller: number, protocol: number, location: number): void => {
  const { transmit, receive } = node.counters;
  writeCanErrorDetails(details, 0, controller, protocol, location, transmit, receive);
};

const reportState = (node: CanNode, errorClass: number, controller: number, atUs: number): void => {
  describe(node, controller, 0, 0);
  const id = errorClass | canErrorClass.counters;
  node.reporter.canState(id, eventStatus.state_change, details, atUs);
};

const updateSeverity = (node: CanNode): boolean => {
  const next = node.counters.severity;
  if (next === node.severity) return false;
  node.severity = next;
  return true;
};

const announceState = (node: CanNode, atUs: number): void => {
  const state = busStates[node.severity];
  if (state) node.reporter.sink.stateChanged(state, node.reporter.unixUs(atUs));
};

const reportError = (
  node: CanNode,
  errorClass: number,
  protocol: number,
  location: number,
  status: number,
  atUs: number,
): void => {
  const stateChanged = updateSeverity(node);
  const controller = stateChanged ? warningOrPassive(node) : 0;
  const stateClass =
    (controller === 0 ? 0 : canErrorClass.controller) |
    (stateChanged && node.isBusOff ? canErrorClass.busOff : 0);
  describe(node, controller, protocol, location);
  const id = errorClass | stateClass | canErrorClass.counters;
  node.reporter.canError(id, status, details, atUs);
  if (!stateChanged) return;
  if (node.isBusOff) node.failQueue(atUs);
  announceState(node, atUs);
};

const unacknowledged = canErrorClass.noAcknowledge | canErrorClass.busError;

export const repeatsMissedAcknowledge = (node: CanNode): boolean => {
  if (!node.counters.isPassive) return false;
  describe(node, 0, 0, canErrorLocation.acknowledgeSlot);
  const id = unacknowledged | canErrorClass.counters;
  return node.reporter.isRepeat(id, eventStatus.no_acknowledge, details);
};

/** No acknowledgement. An error-passive node does not increment its counter. */
export const missAcknowledge = (node: CanNode, atUs: number): void => {
  if (!node.counters.isPassive) node.counters.transmitFailed();
  reportError(
    node,
    unacknowledged,
    0,
    canErrorLocation.acknowledgeSlot,
    eventStatus.no_acknowledge,
    atUs,
  );
};

export const failToTransmit = (node: CanNode, location: number, atUs: number): void => {
  node.counters.transmitFailed();
  reportError(
    node,
    canErrorClass.protocol | canErrorClass.busError,
    canProtocolError.bit | canProtocolError.transmitting,
    location,
    eventStatus.bus_error,
    atUs,
  );
};

/** The node could not decode a frame. Listen-only nodes count nothing. */
export const failToReceive = (
  node: CanNode,
  protocol: number,
  location: number,
  atUs: number,
): void => {
  if (!node.listenOnly) node.counters.receiveFailed();
  reportError(
    node,
    canErrorClass.protocol | canErrorClass.busError,
    protocol,
    location,
    eventStatus.bus_error,
    atUs,
  );
};

export const reportRecovery = (node: CanNode, atUs: number): void => {
  if (!updateSeverity(node)) return;
  reportState(node, canErrorClass.controller, warningOrPassive(node), atUs);
  announceState(node, atUs);
};

export const restart = (node: CanNode, atUs: number): void => {
  node.counters.reset();
  node.recoveredUs = Number.POSITIVE_INFINITY;
  updateSeverity(node);
  reportState(node, canErrorClass.restarted, 0, atUs);
  announceState(node, atUs);
};
