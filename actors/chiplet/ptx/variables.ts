import { alignedUp, deviceBase } from './address-space.ts';
import type { Allocation, MemoryImage } from './device-memory.ts';
import type { PtxSource } from './ptx-error.ts';
import type { Literal, Name, Variable } from './syntax.ts';
import { bytesOf, isReal, type ValueType } from './value-type.ts';

/*
 * Variables of texts: how many bytes they take and where they lie (chiplet specification 7.1).
 */

/** Bytes of a variable; 0 for one whose size is given at launch. */
export const bytesOfVariable = ({ type, vector, length }: Variable): number =>
  bytesOf(type) * vector * (length === -1 ? 1 : length);

/** What the address of a variable must be a multiple of. */
export const alignmentOf = ({ type, vector, align }: Variable): number =>
  Math.max(align, bytesOf(type) * vector, 1);

/** Puts variables one behind the other. */
export class Layout {
  #end: number;

  constructor(first = 0) {
    this.#end = first;
  }

  /** One past the last byte. */
  get end(): number {
    return this.#end;
  }

  /** The address of the next variable. */
  place(bytes: number, align: number): number {
    const at = alignedUp(this.#end, align);
    this.#end = at + bytes;
    return at;
  }
}

/** The variables of all texts of a program in device memory. */
export class DeviceVariables {
  readonly #layout = new Layout(deviceBase);
  readonly #reserved: Allocation[] = [];
  readonly #placed: { readonly variable: Variable; readonly address: number; readonly source: PtxSource }[] =
    [];

  /** Places a variable of `.global` or `.const`; gives its address. */
  place(source: PtxSource, variable: Variable): number {
    const address = this.#layout.place(
      Math.max(1, bytesOfVariable(variable)),
      Math.max(4, alignmentOf(variable)),
    );
    this.#placed.push({ variable, address, source });
    return address;
  }

  /** Room that no variable has; gives its address. */
  reserve(bytes: number, align: number): number {
    const address = this.#layout.place(bytes, align);
    this.#reserved.push({ address, bytes });
    return address;
  }

  /** What lies in memory before a program begins; `addressOf` knows names in values. */
  image(addressOf: (name: string, source: PtxSource) => number | undefined): MemoryImage {
    const bytes = new Uint8Array(this.#layout.end - deviceBase);
    const allocations: Allocation[] = [...this.#reserved];
    const variables = new Map<string, Allocation[]>();
    for (const { variable, address, source } of this.#placed) {
      const allocation = { address, bytes: bytesOfVariable(variable), constant: variable.space === 'const' };
      allocations.push(allocation);
      variables.set(variable.name, [...(variables.get(variable.name) ?? []), allocation]);
      const size = bytesOf(variable.type);
      for (const [at, value] of (variable.values ?? []).entries()) {
        const place = value.kind === 'name' ? addressOf(value.name, source) : undefined;
        const number = value.kind === 'name' ? place && placeOf(value, place) : Number(value.value);
        if (number === undefined)
          throw source.error(
            variable.at,
            `found a value "${value.kind === 'name' ? value.name : ''}" of ${variable.name}, expected a number, or the name of a variable or function`,
            'declare it in this text',
          );
        bytes.set(this.#encoded(variable, value, number, source), address - deviceBase + at * size);
      }
    }
    allocations.sort((one, other) => one.address - other.address);
    return { bytes, allocations, variables };
  }

  /** A value as its variable holds it: plain bits hold a real number as it is. Errors: E-PTX. */
  #encoded(
    { type, name, at }: Variable,
    value: Literal | Name,
    number: number,
    source: PtxSource,
  ): Uint8Array {
    if (value.kind !== 'real' || isReal(type))
      return bytesOfValue(type, number, value.kind === 'whole' ? value.value : BigInt(Math.trunc(number)));
    const same = { b32: 'f32', b64: 'f64' } as const;
    if (type === 'b32' || type === 'b64') return bytesOfValue(same[type], number, 0n);
    throw source.error(
      at,
      `found the real number ${number} for ${name} of .${type}, expected a whole number`,
      'declare a variable of reals, or of plain bits',
    );
  }
}

/** The address that a value names, or the byte of it that its mask cuts out. */
function placeOf({ offset = 0, mask }: Name, place: number): number {
  if (mask === undefined) return place + offset;
  const lowest = mask & -mask;
  return Number((BigInt(place + offset) & mask) / lowest);
}

/** A value in memory, little endian. */
export function bytesOfValue(type: ValueType, number: number, whole: bigint): Uint8Array {
  const size = bytesOf(type);
  const view = new DataView(new ArrayBuffer(16));
  if (isReal(type)) {
    if (size === 4) view.setFloat32(0, number, true);
    else view.setFloat64(0, number, true);
  } else {
    view.setBigUint64(0, BigInt.asUintN(64, whole), true);
    view.setBigUint64(8, BigInt.asUintN(64, whole >> 64n), true);
  }
  return new Uint8Array(view.buffer, 0, size);
}
