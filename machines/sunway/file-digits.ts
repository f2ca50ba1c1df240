/** Bytes of hexadecimal digits, two a byte. */
export const bytesOfHex = (digits: string): Uint8Array =>
  Uint8Array.from({ length: digits.length / 2 }, (_, k) =>
    Number.parseInt(digits.slice(2 * k, 2 * k + 2), 16),
  );

/** The digits of bytes: how a configuration and a result give the contents of a file. */
export const hexOfBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
