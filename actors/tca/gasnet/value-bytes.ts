/** The low bytes of a value, little endian. */
export function valueBytes(value: bigint | number, bytes: number): Uint8Array {
  const whole = new DataView(new ArrayBuffer(8));
  whole.setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true);
  // More than 8 bytes are for the runtime to refuse.
  return bytes <= 8 ? new Uint8Array(whole.buffer, 0, bytes).slice() : new Uint8Array(bytes);
}

/** Up to 8 bytes as a value, little endian, the rest zero. */
export function wholeOf(data: Uint8Array): bigint {
  const whole = new DataView(new ArrayBuffer(8));
  for (const [k, byte] of data.entries()) whole.setUint8(k, byte);
  return whole.getBigUint64(0, true);
}
