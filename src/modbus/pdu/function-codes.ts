export const functionCodes = {
  readCoils: 0x01,
  readDiscreteInputs: 0x02,
  readHoldingRegisters: 0x03,
  readInputRegisters: 0x04,
  writeCoil: 0x05,
  writeRegister: 0x06,
  writeCoils: 0x0f,
  writeRegisters: 0x10,
  maskWriteRegister: 0x16,
  readWriteRegisters: 0x17,
  encapsulated: 0x2b,
} as const;

export const allFunctions: ReadonlySet<number> = new Set(Object.values(functionCodes));

export const writeFunctions: ReadonlySet<number> = new Set([
  functionCodes.writeCoil,
  functionCodes.writeRegister,
  functionCodes.writeCoils,
  functionCodes.writeRegisters,
  functionCodes.maskWriteRegister,
  functionCodes.readWriteRegisters,
]);

export const exceptionFlag = 0x80;

export const maxPduLength = 253;

export const addressSpace = 0x10000;

/** Maximum items of one request (application protocol, chapter 6). */
export const limits = {
  readBits: 2000,
  readRegisters: 125,
  writeBits: 1968,
  writeRegisters: 123,
  /** Fewer than a plain write, because the request also specifies the range to read. */
  readWriteRegisters: 121,
} as const;

export const identificationInterface = 0x0e;

export const coilWords = { on: 0xff00, off: 0x0000 } as const;
