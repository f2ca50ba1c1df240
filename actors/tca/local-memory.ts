import { createMachine } from 'xstate';
import { component } from '../../kernel/kit.ts';
import { placeOf } from './address-map.ts';
import type { HostMemoryContext, hostMemory } from './host-memory.ts';
import type { BytesVisible, MemoryLoad, MemoryLoaded, MemoryStore, MemoryStored } from './messages.ts';

type Served = MemoryLoad | MemoryStore;

const { act } = component<HostMemoryContext, Served, MemoryLoaded | MemoryStored>();

const actions = {
  load: act<'memory.load'>((c, { addr, bytes, requester, at }, out) => {
    const { offset } = within(c, addr, bytes);
    out.post({ to: requester, type: 'memory.loaded', data: c.bytes.slice(offset, offset + bytes), at });
  }),
  store: act<'memory.store'>((c, { addr, data, requester, at }, out) => {
    const { node, offset } = within(c, addr, data.length);
    for (let k = 0; k < data.length; k++) c.bytes.write(offset + k, data[k]!);
    if (out.observed) out.probe<BytesVisible>({ type: 'memory.visible', addr, data, source: node, at });
    out.post({ to: requester, type: 'memory.stored', at });
  }),
};

/** The place of bytes that lie inside the memory. Errors: EUR. */
function within(c: HostMemoryContext, addr: number, bytes: number): { node: number; offset: number } {
  const place = placeOf(addr);
  if (place.offset < 0 || place.offset + bytes > c.spec.size)
    throw new Error(
      `EUR: found ${bytes} bytes at offset ${place.offset} of the ${place.region} memory of node ${place.node}, ` +
        `which has ${c.spec.size} bytes for programs`,
    );
  return place;
}

const derived = new WeakMap<object, typeof hostMemory>();

/**
 * A memory that its own processor may look at and write, beside what comes over links (TCA specification 5).
 *
 * Details: loads and stores take no time by themselves, who asks is charged; each is answered, so that what follows it finds it done. The
 * board of notify words is not for programs. One machine a given memory, so that tables are made once.
 */
export function withLocalAccess(memory: typeof hostMemory): typeof hostMemory {
  const known = derived.get(memory);
  if (known) return known;
  const { config } = memory;
  const { serving } = config.states!;
  const machine = createMachine({
    ...config,
    states: {
      serving: {
        ...serving,
        on: { ...serving!.on, 'memory.load': { actions: 'load' }, 'memory.store': { actions: 'store' } },
      },
    },
  } as never).provide({
    ...memory.implementations,
    actions: { ...memory.implementations.actions, ...actions },
  } as never) as unknown as typeof hostMemory;
  derived.set(memory, machine);
  return machine;
}
