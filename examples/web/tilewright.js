// Programs that tilewright saved as modules of WebAssembly: `program.save("x.wasm")`. Works in browsers and in Node.
//
//   const program = await Program.load(fetch("x.wasm"));
//   const { probabilities } = program.run({ image: { data: new Float32Array(3 * 224 * 224) } });
//   probabilities.data, probabilities.dims
//
// A module exports its memory, a function for each entry of the program, an allocator, and the address of the program's
// description: 32 bytes (a mark, the version, the length, where the weights are) and then JSON, which names inputs and
// outputs.

const VERSIONS = [7];
const HEADER_BYTES = 32;

// Element types without an array type of JavaScript are passed as their bits.
const ARRAYS = {
  bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array,
  uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
  float16: Uint16Array, bfloat16: Uint16Array,
};

export class Program {
  /** Load a module from a response, or a promise of one, or from bytes; `entry` names one of its functions. */
  static async load(source, entry = "main") {
    const given = await source;
    const bytes = typeof given.arrayBuffer === "function" ? await given.arrayBuffer() : given;
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Program(instance.exports, entry);
  }

  constructor(exports, entry) {
    this.exports = exports;
    const described = this.exports.tilewright_module.value;
    const header = new DataView(this.exports.memory.buffer, described, HEADER_BYTES);
    const version = header.getUint32(8, true);
    if (!VERSIONS.includes(version)) throw new Error(`expected a description of version ${VERSIONS}, but got ${version}`);
    const text = new Uint8Array(this.exports.memory.buffer, described + HEADER_BYTES, header.getUint32(12, true));
    const { entries } = JSON.parse(new TextDecoder().decode(text));
    const found = entries.find(({ name }) => name === entry);
    if (!found) throw new Error(`expected one of ${entries.map(({ name }) => name)}, but got ${entry}`);
    this.entry = entry;
    /** What the program takes and gives: [{ name, dtype, shape }], sizes numbers or expressions of symbols. */
    this.inputs = found.inputs;
    this.outputs = found.outputs;
  }

  /** Run the program on { name: { data, dims } }; `dims` may be left out where all sizes are numbers. The same of the
   * outputs. */
  run(inputs) {
    const sizes = new Map();
    const given = this.inputs.map((input) => readInput(input, inputs[input.name], sizes));
    const outputs = this.outputs.map((output) => {
      const dims = output.shape.map((size) => valueOf(size, sizes));
      return { array: ARRAYS[output.dtype], length: count(dims), dims };
    });
    const addresses = [...given, ...outputs].map(({ array, length }) => this.allocate(length * array.BYTES_PER_ELEMENT));
    try {
      given.forEach(({ array, data, length }, k) => this.view(array, addresses[k], length).set(data));
      const symbols = [...sizes.values()].map(BigInt);
      if (this.exports[this.entry](...addresses, ...symbols, 1) !== 0) {
        throw new Error("memory ran out, or an index was found out of bounds");
      }
      return Object.fromEntries(outputs.map(({ array, length, dims }, k) => {
        const data = this.view(array, addresses[given.length + k], length).slice();
        return [this.outputs[k].name, { data, dims }];
      }));
    } finally {
      addresses.forEach((address) => this.exports.tilewright_free(address));
    }
  }

  /** The address of so many bytes. */
  allocate(bytes) {
    const address = this.exports.tilewright_allocate(bytes) >>> 0;
    if (address === 0) throw new Error(`memory ran out: ${bytes} bytes`);
    return address;
  }

  /** An array in the module's memory, until the next call: the buffer is another one when the memory has grown. */
  view(array, address, length) {
    return new array(this.exports.memory.buffer, address, length);
  }
}

function readInput({ name, dtype, shape }, input, sizes) {
  if (input === undefined) throw new Error(`expected an input ${name}`);
  const dims = input.dims ?? shape;
  if (dims.length !== shape.length) throw new Error(`expected ${shape.length} dims of ${name}, but got ${dims.length}`);
  shape.forEach((size, k) => {
    const symbol = symbolOf(size);
    if (symbol !== undefined && !sizes.has(symbol)) sizes.set(symbol, dims[k]);
  });
  const expected = shape.map((size) => valueOf(size, sizes));
  const array = ARRAYS[dtype];
  if (expected.some((size, k) => size !== dims[k]) || !(input.data instanceof array)
    || input.data.length !== count(expected)) {
    throw new Error(`expected ${name} to be ${array.name} of [${expected}], but got ${input.data.constructor.name} of `
      + `${input.data.length} elements, [${dims}]`);
  }
  return { array, data: input.data, length: input.data.length };
}

const count = (dims) => dims.reduce((product, size) => product * size, 1);

/** The symbol that a size is; undefined for numbers and for expressions. */
function symbolOf(size) {
  if (typeof size === "number" || size.constant !== 0 || size.terms.length !== 1) return undefined;
  const [[atom, coefficient]] = size.terms;
  return coefficient === 1 && typeof atom === "string" ? atom : undefined;
}

/** A size: a number, or the sum of a constant and multiples of symbols, quotients, remainders and extremes. */
function valueOf(size, sizes) {
  if (typeof size === "number") return size;
  return size.terms.reduce((sum, [atom, coefficient]) => sum + coefficient * atomOf(atom, sizes), size.constant);
}

function atomOf(atom, sizes) {
  if (typeof atom === "string") {
    if (!sizes.has(atom)) throw new Error(`no input says what size ${atom} is`);
    return sizes.get(atom);
  }
  const [lhs, rhs] = "numerator" in atom
    ? [valueOf(atom.numerator, sizes), atom.divisor]
    : [valueOf(atom.lhs, sizes), valueOf(atom.rhs, sizes)];
  switch (atom.kind) {
    case "*": return lhs * rhs;
    case "floordiv": return Math.floor(lhs / rhs);
    case "mod": return lhs - rhs * Math.floor(lhs / rhs);
    case "min": return Math.min(lhs, rhs);
    case "max": return Math.max(lhs, rhs);
    default: throw new Error(`unknown size ${atom.kind}`);
  }
}
