import { describe } from 'vitest';
import { describeBusOff } from './bus-off-suite.ts';
import { describeCanChannel } from './can-channel-suite.ts';
import { describeDevices } from './device-suite.ts';
import type { DriverFeatures, SetUpRig } from './driver-rig.ts';
import { describeLinChannel } from './lin-channel-suite.ts';
import { describeLinErrors } from './lin-error-suite.ts';
import { describeLinLoss } from './lin-loss-suite.ts';
import { describeLoss } from './loss-suite.ts';
import { describeCyclicJobs } from './offload-cyclic-suite.ts';
import { describeDeviceRoutes } from './offload-route-suite.ts';

/** Requirements of every driver, on a bench that `setUp` creates for each test. */
export const describeDriver = (name: string, features: DriverFeatures, setUp: SetUpRig): void => {
  describe(`the ${name} driver`, () => {
    const { can, lin, canLose } = features;
    // Separate groups: a bench is created for the cases of one group only.
    describe('devices', () => describeDevices(features, setUp));
    if (can) describe('CAN', () => describeCanChannel(can, setUp));
    if (can) describe('bus off', () => describeBusOff(can.ports, setUp));
    const offload = can?.offload;
    if (can && offload) {
      describe('cyclic jobs', () => describeCyclicJobs(features, can, offload, setUp));
      describe('routes', () => describeDeviceRoutes(features, can, offload, setUp));
    }
    if (lin) describe('LIN', () => describeLinChannel(lin, setUp));
    if (lin) describe('LIN errors', () => describeLinErrors(lin, setUp));
    if (canLose && can) describe('loss', () => describeLoss(can.ports, setUp));
    if (canLose && lin) describe('LIN loss', () => describeLinLoss(lin, setUp));
  });
};
