import { describe } from 'vitest';
import { describeBusOff } from './bus-off-suite.ts';
import { describeCanChannel } from './can-channel-suite.ts';
import { describeDevices } from './device-suite.ts';
import type { DriverFeatures, SetUpRig } from './driver-rig.ts';
import { describeLinChannel } from './lin-channel-suite.ts';
import { describeLinErrors } from './lin-error-suite.ts';
import { describeLoss } from './loss-suite.ts';
import { describeCyclicJobs } from './offload-cyclic-suite.ts';
import { describeDeviceRoutes } from './offload-route-suite.ts';

/** What every driver has to do alike, on the bench that `setUp` makes anew for each test. */
export const describeDriver = (name: string, features: DriverFeatures, setUp: SetUpRig): void => {
  describe(`the ${name} driver`, () => {
    describeDevices(features, setUp);
    if (features.can) describeCanChannel(features.can, setUp);
    if (features.can) describeBusOff(features.can.ports, setUp);
    if (features.can?.offload) {
      describeCyclicJobs(features, features.can, features.can.offload, setUp);
      describeDeviceRoutes(features, features.can, features.can.offload, setUp);
    }
    if (features.lin) describeLinChannel(features.lin, setUp);
    if (features.lin) describeLinErrors(features.lin, setUp);
    if (features.canLose && features.can) describeLoss(features.can.ports, setUp);
  });
};
