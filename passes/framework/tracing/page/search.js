// Search: lines are looked through once for a query, texts and passes are counted from that.

class Search {
  constructor(trace) {
    this.trace = trace;
    this.lower = undefined;
    this.set("");
  }

  // Look for a text, whatever its case.
  set(query) {
    this.query = query.toLowerCase();
    this.counted = new Map();
    if (this.query === "") {
      this.wanted = undefined;
      return;
    }
    this.lower ??= this.trace.lines.map((line) => line.toLowerCase());
    this.wanted = Uint8Array.from(this.lower, (line) => Number(line.includes(this.query)));
  }

  // The number of lines of a text that have it.
  inText(number) {
    if (number === undefined || this.wanted === undefined) return 0;
    let count = this.counted.get(number);
    if (count === undefined) {
      count = this.trace.text(number).reduce((sum, line) => sum + this.wanted[line], 0);
      this.counted.set(number, count);
    }
    return count;
  }

  // The number of lines of each step's module that have it.
  inSteps() {
    return this.trace.steps.map((step) => step.parts.reduce((sum, [, text]) => sum + this.inText(text), 0));
  }

  isIn(part) {
    return this.inText(part.before) + this.inText(part.after) > 0;
  }
}

// Mark what is found in the rows that are on the page, where the browser can do that without touching them.
function highlight(root, query) {
  if (!("highlights" in CSS)) return;
  const ranges = [];
  if (query) {
    for (const code of root.querySelectorAll("code")) {
      const text = code.textContent.toLowerCase();
      for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
        ranges.push(rangeIn(code, at, at + query.length));
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

// The range from one character of an element's text to another.
function rangeIn(root, start, end) {
  const range = new Range();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let passed = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const last = passed + node.length;
    if (passed <= start && start < last) range.setStart(node, start - passed);
    if (passed < end && end <= last) {
      range.setEnd(node, end - passed);
      break;
    }
    passed = last;
  }
  return range;
}
