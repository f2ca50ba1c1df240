import { dynamicStackBytes } from './address-space.ts';
import type { Definition, Definitions } from './definition.ts';
import { uniform } from './definition.ts';
import { OperandMismatch, registerOf } from './lane-writer.ts';

/*
 * The stack that a thread grows as it runs (PTX ISA, stack manipulation instructions): bytes of local memory from 0; how many are taken is in a register that is put
 * behind the operands. What a function took is given back when it returns.
 */

const types = [['u32', 'u64']] as const;

/** alloca: the address in local memory of as many bytes as asked for, a multiple of the third operand or of 8. */
const alloca: Definition = {
  words: [],
  types,
  ...uniform([2, 3], 'lanes', 'intAdd'),
  lower: (writer, form, [d, size, ...more]) => {
    const [type] = form.types;
    const taken = registerOf(more.at(-1)!);
    const align = more.length === 1 ? 8 : Number(more[0]!.kind === 'whole' ? more[0]!.value : 0);
    if (align < 1 || (align & (align - 1)) !== 0 || align > 128)
      throw new OperandMismatch('another alignment', 'a power of two up to 128');
    const wide = type === 'u64' ? writer.wide(size!, 'u64') : { low: writer.value(size!, 'u32'), high: '0' };
    const at = `const at = i[${writer.source(taken)} + l] + ${align - 1} & -${align}, size = ${wide.low} >>> 0;`;
    const check = `if (${wide.high} !== 0 || at + size > ${dynamicStackBytes}) w.fault('found alloca of ' + size + ' bytes where ' + at + ' are taken, expected at most ${dynamicStackBytes} in all', l);`;
    const put =
      type === 'u64' ? writer.putWide(d!, 'u64', { low: 'at', high: '0' }) : writer.put(d!, 'u32', 'at');
    return { run: writer.lanes(`${at} ${check} i[${writer.target(taken)} + l] = at + size; ${put}`) };
  },
};

/** stacksave, stackrestore: how many bytes are taken, as a number that nothing else is done with. */
const kept = (restores: boolean): Definition => ({
  words: [],
  types,
  ...uniform([1, 1], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [one, taken]) => {
    const [to, from] = restores ? [taken!, one!] : [one!, taken!];
    const text = type === 'u64' && restores ? writer.wide(from, 'u64').low : writer.value(from, 'u32');
    const put =
      type === 'u64' && !restores
        ? writer.putWide(to, 'u64', { low: text, high: '0' })
        : writer.put(to, 'u32', text);
    return { run: writer.lanes(put) };
  },
});

/** What grows the stack of a thread. */
export const stackInstructions: Definitions = {
  alloca,
  stacksave: kept(false),
  stackrestore: kept(true),
};
