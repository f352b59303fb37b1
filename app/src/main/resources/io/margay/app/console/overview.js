// What needs attention, and how the server does.
import { Plot } from "./charts.js";
import { bytes, card, count, digits, Facts, h, millis, percent, took } from "./dom.js";
import { Hour, minutes } from "./hour.js";
import { elapsed, now, rate } from "./live.js";

const SAMPLES_MAX = 1800;

/** What was seen since the console was opened: times, requests/s, errors/s, mean milliseconds. */
const seen = [[], [], [], []];
let lastTick = null;

function totals() {
  let requests = 0, errors = 0, nanos = 0, active = 0, connections = 0, sent = 0;
  for (const one of now.listeners || []) {
    requests += rate("listeners", one.name, each => each.requests);
    errors += rate("listeners", one.name, each => each.serverErrors);
    nanos += rate("listeners", one.name, each => each.nanos);
    sent += rate("listeners", one.name, each => each.bytesSent);
    active += one.requestsActive;
    connections += one.connectionsOpen;
  }
  return { requests, errors, mean: requests > 0 ? nanos / requests / 1e6 : NaN, active, connections, sent };
}

function sample(all) {
  if (!(elapsed() > 0) || !Number.isFinite(all.requests)) return;
  const at = Math.round(Date.now() / 1000);
  if (at === lastTick) return;
  lastTick = at;
  [at, all.requests, all.errors, Number.isFinite(all.mean) ? all.mean : null].forEach((value, i) => {
    seen[i].push(value);
    if (seen[i].length > SAMPLES_MAX) seen[i].shift();
  });
}

export const overview = {
  id: "overview",
  name: "Overview",
  parts: ["listeners", "system", "attention"],
  make() {
    const tiles = new Facts("tiles");
    const list = h("ul", { class: "attention" });
    const calm = h("p", { class: "good" }, "Nothing needs attention.");
    const requests = new Plot("Requests and errors a second", [
      { name: "Requests/s", colour: "one", area: true }, { name: "5xx/s", colour: "two" }], digits);
    const time = new Plot("Mean time of a request in milliseconds", [{ name: "Mean", colour: "three", area: true }], took);
    const hourRequests = new Plot("Requests and errors a second in the last hour", [
      { name: "Requests/s", colour: "one", area: true }, { name: "Errors/s", colour: "two" }], digits);
    const hourTime = new Plot("Time of requests in the last hour", [
      { name: "p99", colour: "three", area: true }, { name: "p50", colour: "one" }], took);
    const hour = new Hour("listener", 60, () => {
      const [at, served, errors, p50, p99] = minutes(hour.rows);
      hourRequests.update([at, served, errors]);
      hourTime.update([at, p99, p50]);
    });
    let stamp = "";
    return {
      elements: [tiles.element, card("Needs attention", list, calm),
        h("div", { class: "grid" }, card("Requests, the last hour", hourRequests.element), card("Time, the last hour", hourTime.element),
          card("Requests now", requests.element), card("Time now", time.element))],
      update() {
        hour.look();
        const all = totals();
        const system = now.system;
        sample(all);
        tiles.update({
          "Requests/s": { text: digits(all.requests) },
          "5xx of all": { text: all.requests > 0 ? percent(all.errors / all.requests) : "–", kind: all.errors > 0 ? "bad" : "" },
          "Mean time": millis(all.mean),
          "In flight": { text: count(all.active) },
          "Connections": { text: count(all.connections) },
          "Sent/s": Number.isFinite(all.sent) ? bytes(all.sent) : { text: "–" },
          "Memory": system ? bytes(system.resident < 0 ? system.heapUsed : system.resident) : { text: "–" },
          "Workers": { text: system ? count(system.workersActive) : "–", unit: system ? "of " + count(system.workersMax) : "" }
        });
        const wanted = JSON.stringify(now.attention);
        if (wanted !== stamp) {
          stamp = wanted;
          list.replaceChildren(...(now.attention || []).map(one => h("li", { class: one.level },
            one.page ? h("a", { href: "#" + one.page }, one.subject) : one.subject, ": " + one.text)));
          list.hidden = !now.attention || now.attention.length === 0;
          calm.hidden = !now.attention || now.attention.length > 0;
        }
        requests.update([seen[0], seen[1], seen[2]]);
        time.update([seen[0], seen[3]]);
      }
    };
  }
};
