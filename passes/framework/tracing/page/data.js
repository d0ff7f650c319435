// The data of the page, whose form page.py describes, and what is asked of it.

async function readData() {
  const element = document.getElementById("data");
  const text = element.textContent;
  if (element.dataset.form === "json") return JSON.parse(text);
  if (!("DecompressionStream" in window)) throw new Error("This browser cannot decompress data: it is too old.");
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

class Trace {
  constructor(data) {
    this.title = data.title;
    this.lines = data.lines;
    this.steps = data.steps;
    this.deltas = data.texts;
    this.texts = new Map();
    this.opsOf = this.steps.map((step) => total(step.ops));
    this.functionsOf = this.steps.map((_, index) => compareParts(this.before(index)?.parts ?? [], this.steps[index]));
  }

  // The numbers of the lines of a text.
  text(number) {
    let text = this.texts.get(number);
    if (text === undefined) {
      let line = 0;
      text = Int32Array.from(this.deltas[number], (delta) => (line += delta));
      this.texts.set(number, text);
    }
    return text;
  }

  // The step that a step is compared with: code stands for itself.
  before(index) {
    return this.steps[index].kind === "code" ? undefined : this.steps[index - 1];
  }

  isChanged(index) {
    return index === 0 || this.functionsOf[index].some((part) => part.state !== "same");
  }
}

const NO_LINES = new Int32Array(0);

// Whether a part is a function; else it is what stands around them, under a name in parentheses.
function isFunction(part) {
  return !part.name.startsWith("(");
}

// The parts of a step beside what they were: { name, before, after, state }.
function compareParts(before, step) {
  const earlier = new Map(before);
  const parts = step.parts.map(([name, after]) => {
    const was = earlier.get(name);
    earlier.delete(name);
    if (step.kind !== "pass" && was === undefined) return { name, before: undefined, after, state: "whole" };
    return { name, before: was, after, state: was === undefined ? "added" : was === after ? "same" : "changed" };
  });
  for (const [name, was] of earlier) parts.push({ name, before: was, after: undefined, state: "removed" });
  return parts;
}
