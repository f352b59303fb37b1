// The process: memory, threads, pools, and where processor time goes.
import { Plot } from "./charts.js";
import { card, count, digits, Facts, h, instant, size, Table } from "./dom.js";
import { change, elapsed, get, now, say } from "./live.js";

const SECONDS = 10;
const SAMPLES_MAX = 1800;

/** What was seen since the page was opened first: times, the heap's MiB, percent of a processor. */
const seen = [[], [], []];
let before = null;

function sample(system) {
  if (before && elapsed() > 0 && before !== system) {
    [Math.round(Date.now() / 1000), system.heapUsed / 1048576,
      100 * Math.max(0, system.cpuSeconds - before.cpuSeconds) / elapsed()].forEach((value, i) => {
      seen[i].push(value);
      if (seen[i].length > SAMPLES_MAX) seen[i].shift();
    });
  }
  before = system;
}
const ROW = 18;

export const jvm = {
  id: "jvm",
  name: "JVM",
  parts: ["system"],
  make() {
    const facts = new Facts();
    facts.element.id = "system";
    const pools = new Table("Connection pools", [
      { name: "Data source", of: one => one.name },
      { name: "Application", of: one => one.path || "all" },
      { name: "In use", number: true, of: one => one.active },
      { name: "Idle", number: true, of: one => one.idle },
      { name: "At most", number: true, of: one => one.max },
      { name: "Waiting", number: true, of: one => ({ text: one.waiting, kind: one.waiting ? "bad" : "" }) },
      { name: "Given out", number: true, of: one => count(one.given) },
      { name: "Timeouts", number: true, of: one => ({ text: count(one.timeouts), kind: one.timeouts ? "bad" : "" }) }
    ], one => one.path + "\n" + one.name, "No pool of database connections is in use.");
    const heap = new Plot("Heap in use", [{ name: "Heap", colour: "one", area: true }], value => digits(value) + " MiB");
    const processor = new Plot("Processor time", [{ name: "Of a processor", colour: "three", area: true }], value => digits(value) + " %");
    before = null;
    return {
      elements: [card("Process", facts.element),
        h("div", { class: "grid" }, card("Heap now", heap.element), card("Processor now", processor.element)), card("Connection pools", pools.element), flames(), threads()],
      update() {
        const system = now.system;
        if (!system) return;
        facts.update({
          "Process": system.process,
          "Memory": size(system.resident),
          "Heap": size(system.heapUsed) + " of " + size(system.heapMax),
          "Beside the heap": size(system.nonHeapUsed),
          "CPU time": digits(system.cpuSeconds) + " s",
          "Garbage collection": digits(system.gcSeconds) + " s in " + count(system.gcCount) + " collections",
          "Threads": count(system.threads),
          "Workers": system.workersActive + " of " + count(system.workersMax) + ", " + system.workersQueued + " requests wait",
          "Open files": system.filesOpen < 0 ? "not known" : count(system.filesOpen),
          "Last reload": !system.reloaded ? "none" : instant(system.reloaded) + ", "
            + (system.reloadFailure ? "refused: " + system.reloadFailure : "active")
        });
        pools.update(system.pools);
        sample(system);
        heap.update([seen[0], seen[1]]);
        processor.update([seen[0], seen[2]]);
      }
    };
  }
};

function flames() {
  const picture = h("div", { class: "flame" });
  const said = h("p", { class: "soft" }, "Ten seconds of samples by the JDK's flight recorder; a click goes into a frame.");
  const button = h("button", { type: "button", id: "profile" }, "Record " + SECONDS + " s");
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = "Recording…";
    try {
      const all = await change("POST", "api/profile?seconds=" + SECONDS);
      said.textContent = count(all.samples) + " samples.";
      paint(picture, all, all);
    } catch (e) {
      said.textContent = "";
      say(e.message, true);
    }
    button.disabled = false;
  });
  return card("Where processor time goes", said, h("p", {}, button), picture);
}

/** Paints a frame over the whole width, and those that it called below it. */
function paint(picture, all, top) {
  const width = picture.clientWidth;
  const boxes = [];
  let depth = 0;
  function place(frame, left, level) {
    const wide = width * frame.samples / top.samples;
    if (wide < 2) return;
    depth = Math.max(depth, level);
    // Lambdas and stubs have an address for a name.
    const short = frame.name.replace(/(?:\$\$Lambda)?[./+]0x[0-9a-f]+/, "").split(".").slice(-2).join(".");
    const box = h("div", { title: frame.name + ": " + count(frame.samples) + " samples, "
      + digits(100 * frame.samples / all.samples) + " %" }, wide > 40 ? short : "");
    Object.assign(box.style, { left: left + "px", top: level * ROW + "px", width: wide - 1 + "px",
      background: "hsl(" + hue(frame.name) + " 75% 68%)" });
    box.addEventListener("click", () => paint(picture, all, frame === top ? all : frame));
    boxes.push(box);
    for (const called of frame.calls) {
      place(called, left, level + 1);
      left += width * called.samples / top.samples;
    }
  }
  if (top.samples > 0) place(top, 0, 0);
  picture.style.position = "relative";
  picture.style.height = (depth + 1) * ROW + "px";
  picture.replaceChildren(...boxes);
}

/** Ours are amber, the JDK's blue, others green. */
function hue(name) {
  return name.startsWith("io.margay.") ? 38 : /^(?:java|jdk|sun|javax)\./.test(name) ? 208 : 140;
}

function threads() {
  const text = h("pre", { tabindex: "0", role: "region", "aria-label": "Stacks of threads", hidden: true });
  const button = h("button", { type: "button", id: "threads" }, "Show stacks");
  button.addEventListener("click", async () => {
    try {
      const all = await get("api/threads");
      text.textContent = all.map(one => "\"" + one.name + "\" " + one.state + "\n" + one.stack.map(frame => "    at " + frame).join("\n")).join("\n\n");
      text.hidden = false;
    } catch (e) {
      say(e.message, true);
    }
  });
  return card("Threads", h("p", {}, button), text);
}
