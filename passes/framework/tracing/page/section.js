// One part of the module: a heading, and below it the rows of its diff, made when they come into sight.

const ROWS_OF_CHUNK = 60;
const ROW_HEIGHT = 18; // pixels; page.css says the same

class Section {
  // `part` is one of `compareParts`; `observer` watches what is to be filled when it comes into sight.
  constructor(trace, shapes, part, observer) {
    Object.assign(this, { trace, shapes, part, observer });
    this.isWhole = part.state === "whole";
    this.isOpen = part.state !== "same";
    this.chunks = []; // { start, end, element }
    this.button = element("button", { type: "button" });
    this.button.setAttribute("aria-expanded", String(this.isOpen));
    this.counts = element("span", { className: "counts" });
    this.body = element("div", { className: "rows" });
    const heading = element("h3", {}, this.button, this.counts);
    this.element = element("section", { className: part.state }, heading, this.body);
    this.button.append(isFunction(part) ? `@${part.name}` : part.name);
    this.button.addEventListener("click", () => this.setOpen(!this.isOpen));
    this.counts.textContent = { same: "unchanged", whole: `${this.length} lines` }[part.state] ?? "";
    this.setOpen(this.isOpen);
  }

  get length() {
    const { before, after } = this.part;
    return Math.max(...[before, after].map((text) => (text === undefined ? 0 : this.trace.text(text).length)));
  }

  get rows() {
    if (this.made === undefined) {
      const [a, b] = [this.part.before, this.part.after];
      const texts = [a, b].map((text) => (text === undefined ? NO_LINES : this.trace.text(text)));
      this.texts = texts;
      if (this.isWhole) {
        const right = Array.from(texts[1].keys());
        this.made = { left: right.map(() => -1), right, kind: right.map(() => SAME) };
      } else {
        this.made = diffRows(...texts, this.shapes);
      }
      this.changes = changeStarts(this.made.kind);
      this.showCounts();
    }
    return this.made;
  }

  showCounts() {
    if (this.isWhole || this.part.state === "same") return;
    const count = (...kinds) => this.made.kind.reduce((sum, kind) => sum + kinds.includes(kind), 0);
    this.counts.replaceChildren(
      element("ins", {}, `+${count(ADDED, MODIFIED)}`),
      " ",
      element("del", {}, `−${count(REMOVED, MODIFIED)}`),
      { added: " added", removed: " removed" }[this.part.state] ?? "",
    );
  }

  setOpen(open) {
    this.isOpen = open;
    this.button.setAttribute("aria-expanded", String(open));
    this.body.hidden = !open;
    if (!open || this.isLaidOut) return;
    this.body.style.minHeight = `${Math.min(this.length, 60) * ROW_HEIGHT}px`;
    this.body.fill = () => this.layOut();
    this.observer.observe(this.body);
  }

  // Make the chunks and folds, empty as they are.
  layOut() {
    this.isLaidOut = true;
    this.observer.unobserve(this.body);
    this.body.style.minHeight = "";
    this.body.fill = undefined;
    this.chunks = [];
    const children = [];
    const folds = !this.isWhole && this.part.state === "changed";
    for (const { start, end, fold } of stretches(this.rows.kind, folds)) {
      if (fold) children.push(this.foldBar(start, end));
      else children.push(...this.chunksOf(start, end));
    }
    this.body.replaceChildren(...children);
  }

  foldBar(start, end) {
    const bar = element("button", { className: "fold", type: "button" }, `⋯ ${end - start} unchanged lines`);
    bar.addEventListener("click", () => this.unfold(bar));
    return Object.assign(bar, { start, end });
  }

  unfold(bar) {
    bar.replaceWith(...this.chunksOf(bar.start, bar.end));
  }

  unfoldAll() {
    this.layOutNow();
    for (const bar of this.body.querySelectorAll(".fold")) this.unfold(bar);
  }

  layOutNow() {
    if (!this.isOpen) this.setOpen(true);
    if (!this.isLaidOut) this.layOut();
  }

  chunksOf(start, end) {
    const chunks = [];
    for (let row = start; row < end; row += ROWS_OF_CHUNK) {
      chunks.push(this.chunk(row, Math.min(row + ROWS_OF_CHUNK, end)));
    }
    return chunks;
  }

  // The element of some rows, empty until it comes into sight.
  chunk(start, end) {
    const made = element("div", { className: "chunk" });
    made.style.minHeight = `${(end - start) * ROW_HEIGHT}px`;
    const chunk = { start, end, element: made };
    made.fill = () => this.fillChunk(chunk);
    this.chunks.push(chunk);
    this.observer.observe(made);
    return made;
  }

  fillChunk({ start, end, element: chunk }) {
    this.observer.unobserve(chunk);
    chunk.fill = undefined;
    const rows = [];
    for (let row = start; row < end; row++) rows.push(this.renderRow(row));
    chunk.replaceChildren(...rows);
    chunk.style.minHeight = "";
  }

  renderRow(row) {
    const { left, right, kind } = this.rows;
    const line = (side, index) => (index < 0 ? undefined : this.trace.lines[this.texts[side][index]]);
    if (this.isWhole) return renderSingle(right[row], line(1, right[row]));
    return renderRow(kind[row], left[row], line(0, left[row]), right[row], line(1, right[row]));
  }

  // The element of a row, made if need be.
  rowElement(row) {
    this.layOutNow();
    const bar = [...this.body.querySelectorAll(".fold")].find((bar) => bar.start <= row && row < bar.end);
    if (bar) this.unfold(bar);
    const chunk = this.chunks.find((chunk) => chunk.start <= row && row < chunk.end);
    if (chunk.element.fill) chunk.element.fill();
    return chunk.element.children[row - chunk.start];
  }

  // The rows whose lines on either side are among `wanted`, an array by numbers of lines.
  rowsWith(wanted) {
    const { left, right } = this.rows;
    const has = (side, index) => index >= 0 && wanted[this.texts[side][index]];
    return Array.from(left.keys()).filter((row) => has(0, left[row]) || has(1, right[row]));
  }
}
