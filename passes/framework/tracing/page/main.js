// The page: one step is shown at a time, the address says which.

const MARGIN = "400px"; // how far outside of the window rows are made
const FIRST_ROWS = 60; // what a window shows

class Page {
  constructor(trace) {
    this.trace = trace;
    this.shapes = new Shapes(trace.lines);
    this.search = new Search(trace);
    this.main = document.querySelector("main");
    this.sectionsElement = document.getElementById("sections");
    this.pipeline = new Pipeline(trace, document.getElementById("pipeline"));
    this.sections = [];
    this.index = -1;
    this.cursor = undefined; // { section, row }: the change or the match that was gone to last
    this.observer = new IntersectionObserver((entries) => this.fill(entries), { root: this.main, rootMargin: MARGIN });
    this.field = (id) => document.getElementById(id);
  }

  fill(entries) {
    let filled = 0;
    for (const entry of entries) {
      if (entry.isIntersecting && entry.target.fill) {
        entry.target.fill();
        filled++;
      }
    }
    if (filled) this.highlightFound();
  }

  // Show the step that the address names.
  follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const number = Number.parseInt(wanted.get("pass") ?? "", 10);
    const index = Number.isNaN(number) ? this.firstOfInterest() : number;
    this.show(Math.min(Math.max(index, 0), this.trace.steps.length - 1));
    const name = wanted.get("function");
    const named = this.sections.find((section) => section.part.name === name);
    if (named) this.goTo(named, 0);
  }

  // The pass that failed, else the first one that changed something.
  firstOfInterest() {
    const failed = this.trace.steps.findIndex((step) => step.error);
    return failed >= 0 ? failed : this.trace.steps.findIndex((_, index) => index > 0 && this.trace.isChanged(index));
  }

  show(index) {
    if (index === this.index) return;
    const start = performance.now();
    this.index = index;
    this.observer.disconnect();
    const step = this.trace.steps[index];
    document.title = `${index} ${step.name} – ${this.trace.title}`;
    this.field("summary").replaceChildren(...renderSummary(this.trace, index));
    const parts = this.trace.functionsOf[index];
    this.sections = parts.map((part) => new Section(this.trace, this.shapes, part, this.observer));
    const same = parts.filter((part) => part.state === "same" && isFunction(part)).length;
    const note = this.trace.isChanged(index) ? `${plural(same, "function")} unchanged.` : "This pass changed nothing.";
    this.sectionsElement.replaceChildren(...this.sections.map((section) => section.element));
    if (same) this.sectionsElement.append(element("p", { className: "note" }, note));
    this.field("functions").replaceChildren(...parts.map((part) => element("option", { value: part.name })));
    this.cursor = undefined;
    this.field("place").textContent = "";
    this.filter();
    this.fillFirst();
    this.showFound();
    // Calls that need a layout come last, because they make the browser compute it.
    this.main.scrollTop = 0;
    this.pipeline.select(index);
    requestAnimationFrame(() => setTimeout(() => this.measure(index, start)));
  }

  // Render the visible part at once, without waiting for the IntersectionObserver.
  fillFirst() {
    let left = FIRST_ROWS;
    for (const section of this.sections) {
      if (section.element.hidden || !section.isOpen) continue;
      section.layOutNow();
      for (const chunk of section.chunks) {
        if (left <= 0) return;
        section.fillChunk(chunk);
        left -= chunk.end - chunk.start;
      }
    }
  }

  // The time of a step from the key to the rendered page, as a performance entry of the browser.
  measure(index, start) {
    performance.measure("show step", { start, end: performance.now(), detail: index });
    document.body.dataset.shown = String(index);
  }

  go(index) {
    if (index !== this.index) location.hash = `pass=${index}`;
  }

  // Hide functions that the filter leaves out, and unchanged ones unless they are asked for.
  filter() {
    const text = this.field("filter").value.trim().toLowerCase();
    const all = this.field("unchanged").checked;
    for (const section of this.sections) {
      const fits = section.part.name.toLowerCase().includes(text);
      const isWanted = all || text !== "" || section.part.state !== "same" || section === this.cursor?.section;
      section.element.hidden = !(fits && isWanted);
    }
  }

  goTo(section, row) {
    this.cursor = { section, row };
    if (section.element.hidden) this.filter();
    section.element.hidden = false;
    this.main.querySelector(".current")?.classList.remove("current");
    const target = section.rowElement(row);
    (target ?? section.element).classList.add("current");
    (target ?? section.element).scrollIntoView({ block: "center" });
    this.highlightFound();
  }

  // The rows of a section that n and p stop at.
  changesOf(section) {
    if (section.element.hidden || section.isWhole || section.part.state === "same") return [];
    return section.rows.kind && section.changes;
  }

  // Go from the cursor in a direction to the next of what `rowsOf` lists; false where there is none.
  step(direction, rowsOf) {
    const count = this.sections.length;
    const from = this.cursor ? this.sections.indexOf(this.cursor.section) : direction > 0 ? 0 : count - 1;
    for (let at = from; at >= 0 && at < count; at += direction) {
      const section = this.sections[at];
      const isHere = section === this.cursor?.section;
      const rows = rowsOf(section).filter((row) => !isHere || direction * (row - this.cursor.row) > 0);
      if (rows.length) {
        this.goTo(section, direction > 0 ? rows[0] : rows.at(-1));
        return true;
      }
    }
    return false;
  }

  stepChange(direction) {
    const found = this.step(direction, (section) => this.changesOf(section));
    const { section, row } = this.cursor ?? {};
    const number = section?.changes?.indexOf(row) ?? -1;
    const place = number >= 0 ? `change ${number + 1} of ${section.changes.length} in @${section.part.name}` : "";
    this.field("place").textContent = found ? place : direction > 0 ? "no change below" : "no change above";
  }

  matchesOf(section) {
    const name = this.field("filter").value.trim().toLowerCase();
    if (!this.search.isIn(section.part) || !section.part.name.toLowerCase().includes(name)) return [];
    return section.rowsWith(this.search.wanted);
  }

  stepMatch(direction) {
    if (!this.search.wanted || this.step(direction, (section) => this.matchesOf(section))) return;
    const steps = this.trace.steps.length;
    const counts = this.search.inSteps();
    const everywhere = this.field("everywhere").checked;
    for (let hop = 1; everywhere && hop < steps; hop++) {
      const index = (this.index + direction * hop + steps * hop) % steps;
      if (counts[index]) {
        this.go(index);
        this.show(index);
        break;
      }
    }
    this.cursor = undefined;
    this.step(direction, (section) => this.matchesOf(section));
  }

  find() {
    this.search.set(this.field("query").value);
    this.pipeline.showHits(this.search.inSteps());
    this.showFound();
    if (this.search.wanted) {
      this.cursor = undefined;
      this.step(1, (section) => this.matchesOf(section));
    }
    this.highlightFound();
  }

  showFound() {
    const counts = this.search.inSteps();
    const passes = counts.filter((count) => count).length;
    const text = `${plural(counts[this.index], "line")} here, in ${passes} of ${plural(counts.length, "pass")}`;
    this.field("found").textContent = this.search.wanted ? text : "";
  }

  highlightFound() {
    highlight(this.sectionsElement, this.search.query);
  }

  keys() {
    const move = (direction) => this.go(this.pipeline.neighbour(this.index, direction));
    return {
      j: () => move(1),
      k: () => move(-1),
      n: () => this.stepChange(1),
      p: () => this.stepChange(-1),
      u: () => this.field("unchanged").click(),
      e: () => this.sections.filter((section) => !section.element.hidden).forEach((section) => section.unfoldAll()),
      f: () => this.field("filter").select(),
      "/": () => this.field("query").select(),
      "?": () => this.field("help").showModal(),
    };
  }

  onKey(event) {
    const isField = event.target.matches("input:not([type=checkbox])");
    if (event.key === "Escape" && isField) event.target.blur();
    if (isField || event.ctrlKey || event.metaKey || event.altKey || this.field("help").open) return;
    const action = this.keys()[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  listen() {
    const on = (id, type, action) => this.field(id).addEventListener(type, action);
    addEventListener("hashchange", () => this.follow());
    document.addEventListener("keydown", (event) => this.onKey(event));
    on("query", "input", () => this.find());
    on("query", "keydown", (event) => {
      if (event.key === "Enter") this.stepMatch(event.shiftKey ? -1 : 1);
    });
    on("filter", "input", () => this.filter());
    on("unchanged", "change", () => this.filter());
    on("changed-only", "change", (event) => this.pipeline.showAll(!event.target.checked));
    on("next-change", "click", () => this.stepChange(1));
    on("previous-change", "click", () => this.stepChange(-1));
    on("help-button", "click", () => this.field("help").showModal());
  }
}

try {
  const page = new Page(new Trace(await readData()));
  page.listen();
  page.follow();
} catch (error) {
  document.getElementById("sections").append(element("pre", { className: "error" }, String(error)));
  throw error;
}
