// Traffic by listener, host, route, application, upstream and member.
import { card, count, digits, h, percent, size, Table, took } from "./dom.js";
import { Hour } from "./hour.js";
import { now, rate } from "./live.js";
import { mean } from "./upstreams.js";

const ROWS_MAX = 300;
const BYS = ["listener", "host", "route", "application", "upstream", "member"];
const NS = "http://www.w3.org/2000/svg";

/** Requests minute by minute as a line. */
function spark(row, cell) {
  const most = Math.max(1, ...row.plot.map(one => one.requests));
  const step = 100 / Math.max(1, row.plot.length - 1);
  const drawn = document.createElementNS(NS, "svg");
  drawn.setAttribute("class", "spark");
  drawn.setAttribute("viewBox", "0 0 100 24");
  drawn.setAttribute("preserveAspectRatio", "none");
  drawn.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(NS, "polyline");
  line.setAttribute("points", row.plot.map((one, i) => (i * step).toFixed(1) + "," + (23 - 22 * one.requests / most).toFixed(1)).join(" "));
  drawn.append(line);
  cell.append(drawn);
}

/** Requests by protocol, where there were any. */
const protocols = one => Object.entries(one.protocols).map(([name, requests]) => count(requests) + " by " + name).join(", ");

const name = row => row.route !== undefined ? (row.route || "no route") : row.application ?? row.member ?? row.upstream ?? row.host ?? row.listener;
const of = row => row.route !== undefined || row.application !== undefined ? row.host : row.member !== undefined ? row.upstream : "";
const key = row => of(row) + "\n" + name(row);

export const traffic = {
  id: "traffic",
  name: "Traffic",
  parts: ["listeners"],
  make() {
    const by = h("select", {}, BYS.map(word => new Option(word, word, word === "host", word === "host")));
    const span = h("select", {}, [5, 15, 60].map(n => new Option(n + " minutes", n, n === 60, n === 60)));
    const rows = new Table("Served", [
      { name: "Name", wide: true, of: row => ({ text: name(row) === "*" ? "any" : name(row), note: of(row) === "*" ? "any host" : of(row) || undefined }) },
      { name: "Requests", number: true, of: row => count(row.requests) },
      { name: "Requests/s", number: true, of: row => digits(row.perSecond) },
      { name: "By minute", stamp: row => row.plot.map(one => one.requests), node: spark },
      { name: "p50", number: true, of: row => row.requests ? took(1000 * row.p50) : "–" },
      { name: "p90", number: true, of: row => row.requests ? took(1000 * row.p90) : "–" },
      { name: "p99", number: true, of: row => row.requests ? took(1000 * row.p99) : "–" },
      { name: "4xx", number: true, of: row => count(row.statuses[3]) },
      { name: "5xx", number: true, of: row => ({ text: count(row.statuses[4]), kind: row.statuses[4] ? "bad" : "",
        title: percent(row.statuses[4] / row.requests) }) },
      { name: "Failed", number: true, of: row => count(row.failed) },
      { name: "In flight", number: true, of: row => row.active },
      { name: "Sent", number: true, of: row => size(row.bytesSent) }
    ], key, "Nothing was served in this time.");
    const heading = card("Served", h("div", { class: "form" }, h("label", {}, "By", by), h("label", {}, "Of the last", span)), rows.element);
    const hour = new Hour("host", 60, () => {
      rows.update(hour.rows.slice(0, ROWS_MAX));
      heading.querySelector("h2").textContent = "Served" + (hour.rows.length > ROWS_MAX ? ": the busiest " + ROWS_MAX : "");
    });
    const chosen = () => hour.choose(by.value, span.value);
    by.addEventListener("change", chosen);
    span.addEventListener("change", chosen);
    const listeners = new Table("Listeners", [
      { name: "Listener", of: one => ({ text: one.name, note: protocols(one) || undefined }) },
      { name: "Requests/s", number: true, of: one => digits(rate("listeners", one.name, each => each.requests)) },
      { name: "Mean ms", number: true, of: one => digits(mean("listeners", one.name)) },
      { name: "Sent/s", number: true, of: one => {
        const sent = rate("listeners", one.name, each => each.bytesSent);
        return Number.isFinite(sent) ? size(sent) : "–";
      } },
      { name: "Requests", number: true, of: one => count(one.requests) },
      { name: "In flight", number: true, of: one => one.requestsActive },
      { name: "4xx", number: true, of: one => count(one.clientErrors) },
      { name: "5xx", number: true, of: one => ({ text: count(one.serverErrors), kind: one.serverErrors ? "bad" : "" }) },
      { name: "Broken off", number: true, of: one => count(one.requestsFailed) },
      { name: "Connections", number: true, of: one => count(one.connectionsOpen) },
      { name: "Received", number: true, of: one => size(one.bytesReceived) },
      { name: "Sent", number: true, of: one => size(one.bytesSent) }
    ], one => one.name, "No listener is open.");
    return {
      elements: [heading, card("Listeners now", listeners.element)],
      update() {
        hour.look();
        listeners.update(now.listeners || []);
      }
    };
  }
};
