import { deviceBase } from '../ptx/address-space.ts';
import { type DeviceMemory, VariableError } from '../ptx/device-memory.ts';
import { decodeExactly, encodeValues } from '../ptx/typed-values.ts';
import { bytesOf } from '../ptx/value-type.ts';
import type { HostContext } from './host-context.ts';
import type { HostAnswer, HostOperation } from './host-operations.ts';

/** Something that a program must not ask for: it ends there. */
export class HostFault extends Error {}

/** What an operation that needs nobody else gives, and the cycles that it takes. */
export function carriedOut(
  c: HostContext,
  operation: HostOperation,
): readonly [answer: HostAnswer, cycles: number] {
  const { costs } = c.spec;
  switch (operation.op) {
    case 'malloc': {
      const address = deviceOf(c, operation).allocate(operation.bytes);
      if (address === undefined) throw new HostFault(`E-MEM found no room for ${operation.bytes} bytes`);
      return [address, 0];
    }
    case 'symbol':
      return [addressOfVariable(deviceOf(c, operation), operation.name), 0];
    case 'free':
      if (!deviceOf(c, operation).free(operation.address))
        throw new HostFault(`E-MEM found no allocation at ${operation.address}, expected one to free`);
      return [null, 0];
    case 'copyIn': {
      const bytes = encodeValues(operation.type, operation.values);
      const memory = allocated(c, operation, bytes.length);
      memory.claim();
      memory.bytes.set(bytes, operation.address - deviceBase);
      return [null, operation.values.length * costs.cyclesPerCopied];
    }
    case 'copyOut': {
      const { address, type, count } = operation;
      const memory = allocated(c, operation, count * bytesOf(type));
      const values = decodeExactly(memory, address, type, count);
      const at = values.findIndex((value) => typeof value === 'bigint');
      if (at >= 0)
        throw new HostFault(
          `E-EXACT found ${values[at]} as value ${at} of type ${type} at ${address}, expected one that a number holds exactly; copy it out as two values of type u32`,
        );
      return [values as readonly number[], count * costs.cyclesPerCopied];
    }
    case 'compute':
      return [null, Math.ceil(operation.instructions * costs.cyclesPerInstruction)];
    case 'access':
      return [null, Math.ceil(operation.elements * costs.cyclesPerElement)];
    case 'loadInts': {
      const { file, from, to } = operation;
      const values = c.files.value[file];
      if (values === undefined || from < 0 || to > values.length || from > to)
        throw new HostFault(
          `E-FILE found integers ${from} to ${to} of "${file}", expected them in one of: ${Object.keys(c.files.value).join(', ') || 'no files'}`,
        );
      return [values.slice(from, to), Math.ceil((to - from) * costs.cyclesPerElement)];
    }
    case 'output':
      c.outputs[operation.file] = [...operation.values];
      return [null, Math.ceil(operation.values.length * costs.cyclesPerElement)];
    case 'now':
      return [c.cycle - 1, 0];
    default:
      return [null, 0];
  }
}

/** The memory of the device. Errors: `HostFault` on a CPU chiplet. */
export function deviceOf({ memory }: HostContext, { op }: HostOperation): DeviceMemory {
  if (memory === null) throw new HostFault(`E-PROG found ${op} on a CPU chiplet, expected a GPU chiplet`);
  return memory;
}

function addressOfVariable(memory: DeviceMemory, name: string): number {
  try {
    return memory.variable(name).address;
  } catch (error) {
    if (error instanceof VariableError) throw new HostFault(error.message);
    throw error;
  }
}

function allocated(c: HostContext, operation: HostOperation & { readonly address: number }, bytes: number) {
  const memory = deviceOf(c, operation);
  if (bytes > 0 && !memory.find(operation.address, bytes))
    throw new HostFault(
      `E-MEM found ${operation.op} of ${bytes} bytes at ${operation.address}, expected an allocation`,
    );
  return memory;
}
