// Requests in flight, the slowest and the failing, and one by its identifier.
import { card, h, instant, Table, took } from "./dom.js";
import { get, say } from "./live.js";

const SHOWN = 50;

const ms = seconds => took(1000 * seconds);

/** Where the time of a request went, the longest first. */
const phases = one => Object.entries(one.phases).sort((a, b) => b[1] - a[1])
  .map(([name, seconds]) => name + " " + ms(seconds)).join(", ");

function table(label, empty, ...more) {
  return new Table(label, [
    { name: "Began", of: one => instant(one.began).slice(11, 19) },
    { name: "Took", number: true, of: one => ms(one.seconds) },
    { name: "Status", number: true, of: one => ({ text: one.status || "–", kind: one.status >= 500 ? "bad" : "" }) },
    { name: "Request", wide: true, of: one => ({ text: one.method + " " + one.path, note: [one.host === "*" ? "any host" : one.host, one.route].filter(Boolean).join(" ") }) },
    { name: "Where the time went", wide: true, of: one => ({ text: one.why, note: [phases(one), one.member && "member " + one.member,
      one.attempts > 1 && one.attempts + " attempts", one.failure].filter(Boolean).join(", ") }) },
    { name: "Client", of: one => ({ text: one.client, note: one.id }) },
    ...more
  ], one => one.id + one.began, empty);
}

export const requests = {
  id: "requests",
  name: "Requests",
  parts: [],
  make() {
    const running = table("Requests in flight", "No request is in flight.", { name: "Thread", actions: true, stamp: one => one.id, node: (one, cell) =>
      cell.append(h("button", { type: "button", "aria-label": "Show the stack of " + one.id, onclick: () => {
        id.value = one.id;
        update();
        id.focus();
      } }, "Show the stack")) });
    const slowest = table("Slowest requests", "No request was served in the last hour.");
    const slow = table("Slow requests", "No request took longer than the time set by slow in margay.yaml, or slow is not set.");
    const failing = table("Failing requests", "No request has failed.");
    const evidence = h("pre", {});
    const id = h("input", { type: "search", size: "28", placeholder: "identifier" });
    let asking = false;
    async function update() {
      if (asking) return;
      asking = true;
      const wanted = id.value.trim();
      try {
        const all = await get("api/requests?most=" + SHOWN + (wanted ? "&id=" + encodeURIComponent(wanted) : ""));
        running.update(all.running);
        slowest.update(all.slowest);
        failing.update(all.failing);
        slow.update(all.slow);
        const found = wanted ? [...all.running, ...all.slow, ...all.slowest, ...all.failing][0] : null;
        const stack = found?.stack?.map(frame => "    at " + frame);
        if (stack) stack.unshift(stack.length ? "The stack of its thread:" : "No thread works on it now.");
        evidence.textContent = found ? [...found.evidence, ...(stack || [])].join("\n") : "";
      } catch (e) {
        say(e.message, true);
      }
      asking = false;
      if (wanted !== id.value.trim()) await update(); // Another one was chosen meanwhile.
    }
    id.addEventListener("input", update);
    return {
      elements: [h("div", { class: "form" }, h("label", {}, "Find by identifier (X-Request-Id)", id)), evidence,
        card("In flight, the oldest first", running.element), card("Slow requests, the last first", slow.element), card("Slowest of the last hour", slowest.element),
        card("The last that failed", failing.element)],
      update
    };
  }
};
