import { Type } from 'typebox';

export const offloadParameter = Type.Optional(
  Type.Boolean({
    description:
      'Whether to offload to the device or kernel: true requires it, false leaves it to the daemon; default: offload if no reported information is lost',
  }),
);

export const offloadErrors = ['unsupported_by_hardware', 'hardware_error'] as const;
