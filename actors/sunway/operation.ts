/** What a program is given back for an operation: a return code or a value, a 64-bit integer, or bytes. */
export type Answer = number | bigint | Uint8Array;

/** No bytes, of a call that was refused. */
const nothing = new Uint8Array(0);

/**
 * The bytes that an operation gave.
 *
 * Details: a refused call has a code, which `yield` gives, and no bytes (specification 3.2): `yield*` then gives an empty vector or block, so that
 * a program goes on where codes are returned.
 */
export const bytesOfAnswer = (answer: Answer): Uint8Array =>
  answer instanceof Uint8Array ? answer : nothing;

/** What an operation is apart from its arguments: the name of a function of the runtime, without its prefix. */
interface Asked {
  readonly op: string;
}

/**
 * An operation that a program yields: its name and its arguments as plain data, and the way to its typed result.
 *
 * Details: `yield operation` gives the raw answer, which is the return code of nearly all functions; `yield* operation` gives the result
 * with its own type. The way is kept under a symbol, so that copies, fingerprints and JSON see the data alone.
 */
export type Operation<Data extends Asked, Result> = Data & {
  [Symbol.iterator](): Generator<Data, Result, unknown>;
};

function* answered(this: Asked): Generator<Asked, unknown, unknown> {
  return yield this;
}

/** An operation of which the answer is a number: a return code, an address, a count. */
export const asks = <const Data extends Asked>(data: Data): Operation<Data, number> =>
  asksFor<number>()(data);

/** An operation of which the answer is of another type. */
export const asksFor =
  <Result>() =>
  <const Data extends Asked>(data: Data): Operation<Data, Result> => {
    // Every call of a program passes here: one property is set, and nothing is made for it.
    (data as Partial<Operation<Asked, unknown>>)[Symbol.iterator] = answered;
    return data as unknown as Operation<Data, Result>;
  };

const madeBy = Symbol('made by');

interface Made extends Asked {
  [madeBy]: (answer: Answer) => unknown;
  [Symbol.iterator](): Generator<Asked, unknown, unknown>;
}

function* madeAnswer(this: Asked): Generator<Asked, unknown, unknown> {
  return (this as Made)[madeBy]((yield this) as Answer);
}

/** An operation of which the answer is made from what comes back: a view of bytes, for example. The program owns what it is given. */
export function asksAs<const Data extends Asked, Result>(
  data: Data,
  make: (answer: Answer) => Result,
): Operation<Data, Result> {
  const asked = data as Data & Partial<Made>;
  asked[madeBy] = make;
  asked[Symbol.iterator] = madeAnswer;
  return data as unknown as Operation<Data, Result>;
}
