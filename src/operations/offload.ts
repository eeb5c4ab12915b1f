import { Type } from 'typebox';

/** Whether the device or the daemon does the work. */
export const offloadParameter = Type.Optional(
  Type.Boolean({
    description:
      'Whether the device or the kernel is to do it by itself: true refuses where it cannot, false leaves it to the daemon; if left out, it does where nothing that the daemon would report gets lost by that',
  }),
);

export const offloadErrors = ['unsupported_by_hardware', 'hardware_error'] as const;
