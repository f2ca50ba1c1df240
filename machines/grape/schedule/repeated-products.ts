import type { Item, MultiplyOp, Slot } from '../../../actors/grape/program.ts';
import type { MemorySizes } from '../assembler/symbols.ts';
import { operationsOf } from './operations.ts';

/** The latest product, while it can be worked out again: nothing that it was made of has changed. */
interface Product {
  readonly op: MultiplyOp;
  readonly vlen: number;
  readonly line: number;
  /** Cells that it was made of. */
  readonly reads: ReadonlySet<number>;
  /** Its slot is the one just before, it went nowhere else, and nobody has read it. */
  fresh: boolean;
}

/**
 * The items of a section with products worked out again just before whoever reads them as `$fb`, where that is another place than the slot behind
 * the multiplication, or where the product also goes to a memory.
 *
 * Details: the machine hands a product on for one slot only (GRAPE specification 4.2), functional mode keeps it until the next one. The same
 * multiplication of the same words gives the same product, so a program means in functional mode what it meant; it has a slot more, without a
 * destination. Where the words have changed the items stay as they are.
 */
export function withRepeatedProducts(items: readonly Item[], sizes: MemorySizes): readonly Item[] {
  let product: Product | undefined;
  return items.flatMap((item): readonly Item[] => {
    if (item.kind !== 'slot') {
      // A line for the simulator parts what stands before it from what stands behind; packets write broadcast memory, which no product is made of.
      if (item.kind !== 'nop' && product) product.fresh = false;
      return [item];
    }
    const operations = operationsOf(item, { index: 0, slot: 0, time: 0, segment: 0 }, sizes);
    const again = product !== undefined && readsProduct(item) && !product.fresh ? [repeated(product)] : [];
    const written = new Set(operations.flatMap(({ writes }) => writes));
    const multiplication = operations.find(({ unit }) => unit === 'mul');
    if (item.mul && multiplication) {
      const { mul: op, vlen, line } = item;
      product = { op, vlen, line, reads: new Set(multiplication.reads), fresh: op.dst.length === 0 };
    } else if (product) product.fresh = false;
    if (product && [...product.reads].some((cell) => written.has(cell))) product = undefined;
    return [...again, item];
  });
}

const readsProduct = ({ add }: Slot): boolean => add?.a?.kind === 'fb' || add?.b?.kind === 'fb';

const repeated = ({ op, vlen, line }: Product): Slot => ({
  kind: 'slot',
  line,
  vlen,
  mi: 0,
  mof: 0,
  moi: 0,
  mul: { ...op, dst: [] },
});
