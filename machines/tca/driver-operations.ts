import { z } from 'zod';
import { addressOf, notifySlots } from '../../actors/tca/address-map.ts';
import {
  type DescriptorChain,
  type DriverConfig,
  type Handle,
  type Registered,
  type Step,
  type TcaDriver,
  tcaInit,
} from '../../actors/tca/driver/driver.ts';
import { DriverError, driverErrors } from '../../actors/tca/driver/errors.ts';
import type { NodeProgram } from '../../actors/tca/node-program.ts';

const name = z.string().min(1).max(40);
const whole = z.int();
const kind = z.enum(['cpu', 'gpu']);
export const codes = Object.keys(driverErrors) as (keyof typeof driverErrors)[];
/** What a call is refused with; it must go well when absent. */
const refused = z.enum(codes).optional().describe('the code with which it must be refused; none when absent');
const channel = whole;
const end = z.tuple([name, whole]).readonly().describe('handle, offset in bytes');
const flags = {
  notify: z.boolean().optional().describe('a word on the board of the destination behind the data'),
  notifySelf: z.boolean().optional().describe('the same on the own board'),
  notifyInternal: z.boolean().optional().describe('false: the word is read from CPU memory'),
  useInternal: z.boolean().optional().describe('false: the descriptor lies in CPU memory'),
  pipeline: z.boolean().optional().describe('false: the next descriptor waits for its reads'),
  slot: whole.default(0),
  tag: z
    .int()
    .min(1)
    .max(2 ** 32 - 1)
    .default(1),
};

const call = z.discriminatedUnion('call', [
  z.strictObject({ call: z.literal('malloc'), as: name, kind, bytes: whole, refused }).describe('tcaMalloc'),
  z.strictObject({ call: z.literal('free'), memory: name, refused }).describe('tcaFree'),
  z.strictObject({ call: z.literal('handle'), as: name, memory: name, refused }).describe('tcaCreateHandle'),
  z
    .strictObject({
      call: z.literal('import'),
      as: name,
      node: whole,
      kind,
      offset: whole,
      bytes: whole,
      refused,
    })
    .describe('tcaImportHandle of a handle that a node exports'),
  z.strictObject({ call: z.literal('destroy'), handle: name, refused }).describe('tcaDestroyHandle'),
  z.strictObject({ call: z.literal('chain'), as: name }).describe('tcaDescNew'),
  z.strictObject({ call: z.literal('drop'), chain: name }).describe('tcaDescFree'),
  z
    .strictObject({
      call: z.literal('memcpy'),
      chain: name,
      to: end,
      from: end,
      bytes: whole,
      ...flags,
      refused,
    })
    .describe('tcaDescSetMemcpy'),
  z
    .strictObject({
      call: z.literal('memcpy2D'),
      chain: name,
      to: end,
      toPitch: whole,
      from: end,
      fromPitch: whole,
      width: whole,
      height: whole,
      ...flags,
      refused,
    })
    .describe('tcaDescSetMemcpy2D'),
  z.strictObject({ call: z.literal('load'), chain: name, channel, refused }).describe('tcaDescSet'),
  z.strictObject({ call: z.literal('start'), channel, refused }).describe('tcaStartDMADesc'),
  z
    .strictObject({ call: z.literal('receive'), node: whole, slot: whole, tag: whole.default(1), refused })
    .describe('tcaWaitDMARecvDesc'),
  z.strictObject({ call: z.literal('stop'), channel, refused }).describe('tcaWaitDMAC'),
  z.strictObject({ call: z.literal('busy'), channel, refused }).describe('the busy bit'),
  z
    .strictObject({
      call: z.literal('error'),
      channel,
      code: z.string().default('').describe('what must be found there'),
      refused,
    })
    .describe('the code of its error'),
  z.strictObject({ call: z.literal('reset'), channel, refused }).describe('the reset register'),
  z.strictObject({ call: z.literal('window'), handle: name, refused }).describe('tcaSetPIORegion'),
  z
    .strictObject({
      call: z.literal('store'),
      offset: whole,
      bytes: z.array(z.int().min(0).max(255)).max(256),
      refused,
    })
    .describe('tcaSendPIO'),
  z.strictObject({ call: z.literal('commit'), refused }).describe('tcaSendPIOCommit'),
  z.strictObject({ call: z.literal('compute'), ns: z.number().min(0).max(1e9) }).describe('works so long'),
]);

/** Schema of a program that calls the driver, as data: memory, handles and chains by names (TCA specification 10, 17). */
export const driverOperations = z.strictObject({
  driver: z
    .array(call)
    .describe(`calls of the driver, in order; slots are below ${notifySlots}, what is refused says so`),
});

/** Calls of the driver as a scenario has them. */
export type DriverOperations = z.output<typeof driverOperations>;
/** One of them. */
export type DriverCall = DriverOperations['driver'][number];

/** A program that does these calls. Errors: it throws where a call goes otherwise than its list says. */
export const programOfDriver = ({ driver: list }: DriverOperations, config: DriverConfig): NodeProgram =>
  function* (rank, nodes) {
    const calling = new Calling(tcaInit(config, rank, nodes));
    for (const [index, one] of list.entries()) {
      const found = yield* calling.carriedOut(one);
      const expected = ('refused' in one ? one.refused : undefined) ?? 'OK';
      if (found !== expected)
        throw new Error(`driver[${index}] ${one.call}: found ${found}, expected ${expected}`);
    }
  };

/** A node at its calls, and what it has under names. */
class Calling {
  readonly #tca: TcaDriver;
  readonly #memories = new Map<string, Registered>();
  readonly #handles = new Map<string, Handle>();
  readonly #chains = new Map<string, DescriptorChain>();

  constructor(tca: TcaDriver) {
    this.#tca = tca;
  }

  /** How a call goes: `OK`, or the code with which it was refused. */
  *carriedOut(one: DriverCall): Step<string> {
    try {
      yield* this.#do(one);
      return 'OK';
    } catch (error) {
      if (error instanceof DriverError) return error.code;
      throw error;
    }
  }

  *#do(one: DriverCall): Step {
    const tca = this.#tca;
    switch (one.call) {
      case 'malloc':
        this.#memories.set(one.as, tca.tcaMalloc(one.bytes, one.kind));
        return;
      case 'free':
        tca.tcaFree(known(this.#memories, one.memory));
        return;
      case 'handle':
        this.#handles.set(one.as, tca.tcaCreateHandle(known(this.#memories, one.memory)));
        return;
      case 'import': {
        const { node, kind: of, offset, bytes } = one;
        const handle = { node, kind: of, address: addressOf(node, of, offset), bytes };
        this.#handles.set(one.as, tca.tcaImportHandle(handle));
        return;
      }
      case 'destroy':
        tca.tcaDestroyHandle(known(this.#handles, one.handle));
        return;
      case 'chain':
        this.#chains.set(one.as, tca.tcaDescNew());
        return;
      case 'drop':
        tca.tcaDescFree(known(this.#chains, one.chain));
        return;
      case 'memcpy': {
        const { slot, tag, bytes } = one;
        const [target, source] = [one.to, one.from].map(([handle]) => known(this.#handles, handle));
        const chain = known(this.#chains, one.chain);
        tca.tcaDescSetMemcpy(chain, target!, one.to[1], source!, one.from[1], bytes, flagsOf(one), slot, tag);
        return;
      }
      case 'memcpy2D': {
        const { slot, tag, width, height, toPitch, fromPitch } = one;
        const [target, source] = [one.to, one.from].map(([handle]) => known(this.#handles, handle));
        tca.tcaDescSetMemcpy2D(
          known(this.#chains, one.chain),
          target!,
          one.to[1],
          toPitch,
          source!,
          one.from[1],
          fromPitch,
          width,
          height,
          flagsOf(one),
          slot,
          tag,
        );
        return;
      }
      case 'load':
        yield* tca.tcaDescSet(known(this.#chains, one.chain), one.channel);
        return;
      case 'start':
        yield* tca.tcaStartDMADesc(one.channel);
        return;
      case 'receive':
        yield* tca.tcaWaitDMARecvDesc({ node: one.node }, one.slot, one.tag);
        return;
      case 'stop':
        yield* tca.tcaWaitDMAC(one.channel);
        return;
      case 'busy':
        yield* tca.tcaBusyDMAC(one.channel);
        return;
      case 'error': {
        const found = (yield* tca.tcaErrorDMAC(one.channel)) ?? '';
        if (found !== one.code)
          throw new Error(`channel ${one.channel}: found error "${found}", expected "${one.code}"`);
        return;
      }
      case 'reset':
        yield* tca.tcaResetDMAC(one.channel);
        return;
      case 'window':
        tca.tcaSetPIORegion(known(this.#handles, one.handle));
        return;
      case 'store':
        tca.tcaSendPIO(one.offset, Uint8Array.from(one.bytes));
        return;
      case 'commit':
        yield* tca.tcaSendPIOCommit();
        return;
      case 'compute':
        yield { op: 'compute', ns: one.ns };
    }
  }
}

/** The flags that a call names; those that it leaves out are the driver's own business. */
function flagsOf({
  notify,
  notifySelf,
  notifyInternal,
  useInternal,
  pipeline,
}: Extract<DriverCall, { readonly call: 'memcpy' | 'memcpy2D' }>) {
  return {
    ...(notify !== undefined && { notify }),
    ...(notifySelf !== undefined && { notifySelf }),
    ...(notifyInternal !== undefined && { notifyInternal }),
    ...(useInternal !== undefined && { useInternal }),
    ...(pipeline !== undefined && { pipeline }),
  };
}

function known<Value>(values: ReadonlyMap<string, Value>, as: string): Value {
  const found = values.get(as);
  if (found === undefined)
    throw new Error(`found the name "${as}", expected one of ${[...values.keys()].join(', ') || 'none'}`);
  return found;
}
