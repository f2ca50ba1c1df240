import { describe, expect, test } from 'vitest';
import { TRANSFER_STATUS_FINISHED } from '../../actors/cell/instructions.ts';
import { Command_Bus, Cycle_Controller, Data_Arbiter, init_all, type Program, SPU } from './facade.ts';

describe('the façade with the names of the assignment', () => {
  test('runs a program that was written against them: send a block, wait, tell the receiver', () => {
    const { memory_modules, dma_modules, controller, bus } = init_all(3);
    memory_modules[0]!.write(0, 7);
    memory_modules[0]!.write(1, 8);
    const sender: Program = function* (spu) {
      const id = yield* spu.dma_module.put(0, 2, 10, 2);
      while ((yield* spu.dma_module.status(id))[0] !== TRANSFER_STATUS_FINISHED)
        yield* spu.program_finished_cycle();
      yield* spu.write_to_memory(5, 1);
      yield* spu.dma_module.put(5, 2, 20, 1);
    };
    const idle: Program = function* (spu) {
      yield* spu.program_finished_cycle();
    };
    const receiver: Program = function* (spu) {
      while ((yield* spu.read_from_memory(20)) !== 1) yield* spu.program_finished_cycle();
      yield* spu.write_to_memory(30, (yield* spu.read_from_memory(10)) + (yield* spu.read_from_memory(11)));
    };
    const spus = [sender, idle, receiver].map(
      (program, id) => new SPU(id, memory_modules[id]!, program, controller),
    );

    const { outcome, result } = new Data_Arbiter(dma_modules, 1, null, controller).run(spus, {
      memSize: 64,
      bus,
    });

    expect(outcome.verdict).toBe('ok');
    expect(memory_modules[2]!.read(30)).toBe(15);
    expect(bus.commands).toEqual([
      { src: 0, dest: 2, cmd: 'put' },
      { src: 0, dest: 2, cmd: 'put' },
      { src: 0, dest: 2, cmd: 'put' },
    ]);
    expect(controller.errors).toEqual([]);
    expect(controller.cycle).toBe(result.cycles);
  });

  test('runs exactly the number of cycles it is told', () => {
    const { memory_modules, dma_modules, controller } = init_all(2, 5);
    const forever: Program = function* (spu) {
      for (;;) yield* spu.program_finished_cycle();
    };
    const spus = [0, 1].map((id) => new SPU(id, memory_modules[id]!, forever, controller));

    const { result } = new Data_Arbiter(dma_modules, 1, 5, controller).run(spus);

    expect([result.cycles, controller.cycle]).toEqual([5, 5]);
  });

  test('the controller finds an entity that ends a cycle twice, an unknown one, and one that is missing', () => {
    const controller = new Cycle_Controller(1);

    controller.spu_finished_cycle(0);
    controller.spu_finished_cycle(0);
    controller.dma_module_finished_cycle(3);
    controller.finish();

    expect(controller.errors).toEqual([
      'SPU 0 has ended cycle 0 twice, while 2 entities have not ended it',
      'unknown DMA module 3',
      'the run is over and 2 entities have not ended cycle 0',
    ]);
  });

  test('the bus refuses a command that is neither put nor get, or from nowhere', () => {
    const bus = new Command_Bus(init_all(2).dma_modules);

    expect(() => bus.send_command(0, 1, 'move' as never)).toThrow('neither put nor get');
    expect(() => bus.send_command(0, 2, 'put')).toThrow('there are modules 0..1');
  });
});
